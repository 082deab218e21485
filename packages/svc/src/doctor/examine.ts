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

/** Examines a stream through all proxies on the way, and reports whether each property holds and how to fix it. */
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

/** Without a stream in answer to a later request, the findings of the first one still hold. */
function unanswered(error: unknown): Finding {
  if (!(error instanceof UsageError)) throw error;
  return {
    check: 'resume',
    level: 'failure',
    what: `reconnecting failed: ${error.message}`,
    fix: 'Let requests with the Last-Event-ID header or the last_event_id query parameter reach the server like the first one.',
  };
}

/** The findings as lines for a terminal. */
export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, what, fix }) => [
    `${level.padEnd(8)} ${check.padEnd(12)} ${what}`,
    ...(fix ? [`${' '.repeat(22)}-> ${fix}`] : []),
  ]);
  return lines.join('\n');
}
