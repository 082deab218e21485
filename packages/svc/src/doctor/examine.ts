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
import { observe } from './observe.js';

/** What to examine, and how long. */
export interface ExamineOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  lookMs: number;
  signal: AbortSignal;
}

/** Looks at a stream through whatever stands between, and says of each property whether it holds and how to mend it. */
export async function examine(options: ExamineOptions): Promise<Finding[]> {
  const seen = await observe(options);
  const answer = checkAnswer(seen);
  if (answer.level !== 'ok') return [answer];
  return [
    answer,
    checkHeaders(seen),
    checkFirstFrame(seen),
    checkHeartbeats(seen, options.lookMs),
    checkOneByOne(seen),
    checkKeptOpen(seen),
    await checkResume(seen, { ...options, lookMs: Math.min(options.lookMs, promptMs) }),
  ];
}

/** The findings as lines for a terminal. */
export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, what, mend }) => [
    `${level.padEnd(8)} ${check.padEnd(12)} ${what}`,
    ...(mend && level !== 'ok' ? [`${' '.repeat(22)}-> ${mend}`] : []),
  ]);
  return `${lines.join('\n')}\n`;
}
