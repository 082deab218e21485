import { beginWaiting, type FireLimits } from './admit-fire.js';
import {
  settle,
  stepTo,
  type ActiveFire,
  type Ledger,
  type LedgerStep,
  type SettledFire,
} from '../store/ledger.js';

/**
 * Removes an ended fire from the ledger and starts the owner's next, or cancels those that are queued if its job is being
 * stopped; undefined if it is no longer in the ledger.
 */
export function endFire(
  ledger: Ledger,
  end: SettledFire,
  next: { owner: string; limits: FireLimits; nowMs: number; stopReason?: string | undefined },
): LedgerStep | undefined {
  const { owner: self, limits, nowMs, stopReason } = next;
  const active = ledger.active.filter(({ fire_id, owner }) => fire_id !== end.fire_id || owner !== self);
  if (active.length === ledger.active.length) return undefined;
  const rest = { ...ledger, active };
  const step =
    stopReason === undefined
      ? beginWaiting(rest, self, limits, nowMs)
      : cancelWaiting(rest, self, stopReason, nowMs);
  return { ...step, settled: [end, ...step.settled] };
}

/** Records another attempt of the owner's running fire, so that a crash during it counts. */
export function recordAttempt(
  ledger: Ledger,
  { fire_id: fireId, owner }: Pick<ActiveFire, 'fire_id' | 'owner'>,
  attempt: number,
): LedgerStep {
  const isThisFire = (fire: ActiveFire) => fire.fire_id === fireId && fire.owner === owner;
  if (!ledger.active.some(isThisFire)) return stepTo(ledger);
  const active = ledger.active.map((fire) => (isThisFire(fire) ? { ...fire, attempt } : fire));
  return stepTo({ ...ledger, active });
}

/** Cancels the owner's queued fires. */
export function cancelWaiting(ledger: Ledger, owner: string, reason: string, nowMs: number): LedgerStep {
  const isQueued = (fire: Ledger['active'][number]) => fire.phase === 'waiting' && fire.owner === owner;
  const queued = ledger.active.filter(isQueued);
  if (queued.length === 0) return stepTo(ledger);
  return stepTo(
    { ...ledger, active: ledger.active.filter((fire) => !isQueued(fire)) },
    queued.map((fire) => settle(fire, { status: 'cancelled', finished_at_ms: nowMs, reason })),
  );
}

/** Skips every fire scheduled up to a moment, as if it had been decided. */
export function skipUntil(ledger: Ledger, momentMs: number): LedgerStep {
  return stepTo(momentMs <= ledger.cursor_ms ? ledger : { ...ledger, cursor_ms: momentMs });
}
