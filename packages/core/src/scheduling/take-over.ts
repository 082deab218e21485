import { settle, type ActiveFire, type Ledger, type LedgerStep, type SettledFire } from './ledger.js';
import type { RetryPolicy } from './retry.js';

/** Who renews its own leases and takes over those of others that ran out. */
export interface Holder {
  readonly owner: string;
  /** How long a lease lasts, in milliseconds; absent when nobody else can see the ledger. */
  readonly leaseMs: number | undefined;
  readonly retry: RetryPolicy;
}

/** When a lease is to be renewed: after a third of its time. */
export function renewalMs(leaseUntilMs: number, leaseMs: number): number {
  return leaseUntilMs - (leaseMs * 2) / 3;
}

/**
 * Renews the holder's leases where it is time, and takes over the fires whose holder was not heard of: one that waited
 * goes on waiting, one that ran is `interrupted`, and waits for another attempt only where the retry policy says so.
 */
export function keepLeases(ledger: Ledger, holder: Holder, nowMs: number): LedgerStep {
  const { leaseMs } = holder;
  if (leaseMs === undefined) return { ledger, settled: [], begun: [] };
  const settled: SettledFire[] = [];
  let hasChanged = false;
  const active = ledger.active.flatMap((fire): ActiveFire[] => {
    const until = fire.lease_until_ms ?? Number.POSITIVE_INFINITY;
    const isDue = fire.owner === holder.owner ? renewalMs(until, leaseMs) <= nowMs : until < nowMs;
    if (!isDue) return [fire];
    hasChanged = true;
    const held = { ...fire, owner: holder.owner, lease_until_ms: nowMs + leaseMs };
    if (fire.owner === holder.owner || fire.phase === 'waiting') return [held];
    settled.push(
      settle(fire, { status: 'interrupted', finished_at_ms: nowMs, reason: 'its process was not heard of' }),
    );
    return mayRunAgain(fire, holder.retry) ? [{ ...held, phase: 'waiting' }] : [];
  });
  return hasChanged ? { ledger: { ...ledger, active }, settled, begun: [] } : { ledger, settled, begun: [] };
}

function mayRunAgain(fire: ActiveFire, { retryInterrupted, maxAttempts }: RetryPolicy): boolean {
  return retryInterrupted && fire.cancel_reason === null && fire.attempt < maxAttempts;
}
