import type { SessionFacts } from './session-facts.js';
import type { SessionState } from './session-state.js';

/** When a run's time is up; undefined while it only waits for people, which does not count. */
export function runDeadlineMs(state: SessionState, facts: SessionFacts): number | undefined {
  if (state.openedAtMs === undefined) return undefined;
  const waits = [...state.checkpoints.values()].map(({ openedAtMs, answeredAtMs }) => ({
    from: openedAtMs,
    to: answeredAtMs,
  }));
  if (waits.some(({ to }) => to === undefined)) return undefined;
  return state.openedAtMs + facts.runTimeoutMs + coveredMs(waits);
}

/** The time that the spans cover together; overlaps count once. */
function coveredMs(spans: readonly { from: number; to?: number | undefined }[]): number {
  let covered = 0;
  let until = -Infinity;
  for (const { from, to } of [...spans].sort((left, right) => left.from - right.from)) {
    const end = to ?? from;
    if (end <= until) continue;
    covered += end - Math.max(from, until);
    until = end;
  }
  return covered;
}
