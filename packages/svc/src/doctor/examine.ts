import {
  checkAnswer,
  checkFirstFrame,
  checkHeaders,
  checkHeartbeats,
  checkKeptOpen,
  checkOneByOne,
  promptMs,
  type Finding,
} from './checks.js';
import { checkResume } from './check-resume.js';
import { observe, type Look } from './observe.js';
import { UsageError } from '../terminal.js';

/** Looks at a stream through whatever stands between, and says of each property whether it holds and how to mend it. */
export async function examine(look: Look): Promise<Finding[]> {
  const seen = await observe(look);
  const answer = checkAnswer(seen);
  if (answer.level !== 'ok') return [answer];
  return [
    answer,
    checkHeaders(seen),
    checkFirstFrame(seen),
    checkHeartbeats(seen, look.lookMs),
    checkOneByOne(seen),
    checkKeptOpen(seen),
    await checkResume(seen, { ...look, lookMs: Math.min(look.lookMs, promptMs) }).catch(unanswered),
  ];
}

/** Without an answer to a later look, what the first one showed still holds. */
function unanswered(error: unknown): Finding {
  if (!(error instanceof UsageError)) throw error;
  return {
    check: 'resume',
    level: 'failure',
    what: `a reader that comes back: ${error.message}`,
    mend: 'Let a request with the header Last-Event-ID, or the query last_event_id, reach the server like the first one.',
  };
}

/** The findings as lines for a terminal. */
export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, what, mend }) => [
    `${level.padEnd(8)} ${check.padEnd(12)} ${what}`,
    ...(mend ? [`${' '.repeat(22)}-> ${mend}`] : []),
  ]);
  return lines.join('\n');
}
