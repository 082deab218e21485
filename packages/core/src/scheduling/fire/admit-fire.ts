import {
  settle,
  stepTo,
  type ActiveFire,
  type Ledger,
  type LedgerStep,
  type SettledFire,
} from '../store/ledger.js';
import type { OverlapPolicy } from '../policy/overlap.js';

/** The limits on the fires of a job. */
export interface FireLimits {
  readonly overlap: OverlapPolicy;
  readonly maxRuns: number | undefined;
}

/** Whether the job has had all its runs, including queued ones. */
export function isExhausted(ledger: Ledger, { maxRuns }: FireLimits): boolean {
  if (maxRuns === undefined) return false;
  return ledger.runs + ledger.active.filter(({ attempt }) => attempt === 0).length >= maxRuns;
}

/** Admits a new fire as the overlap policy allows. It is queued; {@link beginWaiting} starts it. */
export function admitFire(ledger: Ledger, fire: ActiveFire, limits: FireLimits, nowMs: number): LedgerStep {
  const { policy, maxOverlap, maxQueued } = limits.overlap;
  const admitted = stepTo({ ...ledger, active: [...ledger.active, fire] });
  if (maxOverlap === 0 || ledger.active.length < maxOverlap) return admitted;
  if (policy === 'replace')
    return replaceOldest(ledger, fire, ledger.active.slice(0, ledger.active.length - maxOverlap + 1), nowMs);
  const waiting = ledger.active.length - maxOverlap;
  if (policy === 'queue' && waiting < maxQueued) return admitted;
  const reason =
    policy === 'queue'
      ? `${waiting} fires are already queued`
      : `${ledger.active.length} of the job's fires are still running`;
  return stepTo(ledger, [settle(fire, { status: 'skipped_overlap', finished_at_ms: nowMs, reason })]);
}

function replaceOldest(
  ledger: Ledger,
  fire: ActiveFire,
  oldest: readonly ActiveFire[],
  nowMs: number,
): LedgerStep {
  const reason = 'replaced by a later fire';
  const settled: SettledFire[] = [];
  const active = ledger.active.flatMap((other): ActiveFire[] => {
    if (!oldest.includes(other)) return [other];
    if (other.phase === 'running') return [{ ...other, cancel_reason: reason }];
    settled.push(settle(other, { status: 'cancelled', finished_at_ms: nowMs, reason }));
    return [];
  });
  return stepTo({ ...ledger, active: [...active, fire] }, settled);
}

/** Starts the owner's queued fires, in order, as far as the limits allow. */
export function beginWaiting(ledger: Ledger, owner: string, limits: FireLimits, nowMs: number): LedgerStep {
  const { maxOverlap } = limits.overlap;
  let room = maxOverlap === 0 ? Number.POSITIVE_INFINITY : maxOverlap;
  for (const { phase } of ledger.active) if (phase === 'running') room -= 1;
  const begun: ActiveFire[] = [];
  let isMyTurn = true;
  const active = ledger.active.map((fire) => {
    if (fire.phase === 'running' || room <= 0 || !isMyTurn) return fire;
    if (fire.owner !== owner) {
      isMyTurn = false;
      return fire;
    }
    room -= 1;
    const started: ActiveFire = { ...fire, phase: 'running', attempt: fire.attempt + 1, fired_at_ms: nowMs };
    begun.push(started);
    return started;
  });
  if (begun.length === 0) return stepTo(ledger);
  const newRuns = begun.filter(({ attempt }) => attempt === 1).length;
  return { ledger: { ...ledger, runs: ledger.runs + newRuns, active }, settled: [], begun };
}
