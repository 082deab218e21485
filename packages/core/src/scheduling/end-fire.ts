import { beginWaiting, type FireLimits } from './admit-fire.js';
import { settle, stepTo, type ActiveFire, type Ledger, type LedgerStep, type SettledFire } from './ledger.js';

/** Takes a fire that ended off the ledger and starts the owner's next; nothing when the ledger does not know it any more. */
export function endFire(
  ledger: Ledger,
  end: SettledFire,
  next: { owner: string; limits: FireLimits; nowMs: number },
): LedgerStep | undefined {
  const active = ledger.active.filter(
    ({ fire_id, owner }) => fire_id !== end.fire_id || owner !== next.owner,
  );
  if (active.length === ledger.active.length) return undefined;
  const begun = beginWaiting({ ...ledger, active }, next.owner, next.limits, next.nowMs);
  return { ...begun, settled: [end] };
}

/** Notes that the owner's running fire is tried again, so that a crash in this attempt counts. */
export function noteAttempt(
  ledger: Ledger,
  { fire_id: fireId, owner }: Pick<ActiveFire, 'fire_id' | 'owner'>,
  attempt: number,
): LedgerStep {
  const isMeant = (fire: ActiveFire) => fire.fire_id === fireId && fire.owner === owner;
  if (!ledger.active.some(isMeant)) return stepTo(ledger);
  const active = ledger.active.map((fire) => (isMeant(fire) ? { ...fire, attempt } : fire));
  return stepTo({ ...ledger, active });
}

/** Gives up the owner's fires that still wait. */
export function giveUpWaiting(ledger: Ledger, owner: string, reason: string, nowMs: number): LedgerStep {
  const isGiven = (fire: Ledger['active'][number]) => fire.phase === 'waiting' && fire.owner === owner;
  const given = ledger.active.filter(isGiven);
  if (given.length === 0) return stepTo(ledger);
  return stepTo(
    { ...ledger, active: ledger.active.filter((fire) => !isGiven(fire)) },
    given.map((fire) => settle(fire, { status: 'cancelled', finished_at_ms: nowMs, reason })),
  );
}

/** Lets go of every fire scheduled until a moment, as if it were decided. */
export function skipUntil(ledger: Ledger, momentMs: number): LedgerStep {
  return stepTo(momentMs <= ledger.cursor_ms ? ledger : { ...ledger, cursor_ms: momentMs });
}
