import { settle, stepTo, type ActiveFire, type Ledger, type LedgerStep, type SettledFire } from './ledger.js';
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

/** Renews the holder's leases where it is time, and leaves those of others alone. */
export function renewLeases(ledger: Ledger, { owner, leaseMs }: Holder, nowMs: number): LedgerStep {
  if (leaseMs === undefined) return stepTo(ledger);
  let hasChanged = false;
  const active = ledger.active.map((fire): ActiveFire => {
    const until = fire.lease_until_ms ?? Number.POSITIVE_INFINITY;
    if (fire.owner !== owner || renewalMs(until, leaseMs) > nowMs) return fire;
    hasChanged = true;
    return { ...fire, lease_until_ms: nowMs + leaseMs };
  });
  return stepTo(hasChanged ? { ...ledger, active } : ledger);
}

/**
 * Renews the holder's leases where it is time, and takes over the fires whose holder was not heard of: one that waited
 * goes on waiting, one that ran is `interrupted`, and waits for another attempt only where the retry policy says so.
 */
export function keepLeases(ledger: Ledger, holder: Holder, nowMs: number): LedgerStep {
  const { owner, leaseMs } = holder;
  const renewed = renewLeases(ledger, holder, nowMs);
  if (leaseMs === undefined) return renewed;
  const settled: SettledFire[] = [];
  let hasTaken = false;
  const active = renewed.ledger.active.flatMap((fire): ActiveFire[] => {
    const until = fire.lease_until_ms ?? Number.POSITIVE_INFINITY;
    if (fire.owner === owner || until >= nowMs) return [fire];
    hasTaken = true;
    const held = { ...fire, owner, lease_until_ms: nowMs + leaseMs };
    if (fire.phase === 'waiting') return [held];
    settled.push(
      settle(fire, { status: 'interrupted', finished_at_ms: nowMs, reason: 'its process was not heard of' }),
    );
    return mayRunAgain(fire, holder.retry) ? [{ ...held, phase: 'waiting' }] : [];
  });
  return hasTaken ? stepTo({ ...ledger, active }, settled) : renewed;
}

function mayRunAgain(fire: ActiveFire, { retryInterrupted, maxAttempts }: RetryPolicy): boolean {
  return retryInterrupted && fire.cancel_reason === null && fire.attempt < maxAttempts;
}
