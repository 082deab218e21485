import {
  settle,
  stepTo,
  type ActiveFire,
  type Ledger,
  type LedgerStep,
  type SettledFire,
} from '../store/ledger.js';
import type { RetryPolicy } from '../policy/retry.js';

/** The holder of leases, who renews its own and takes over expired ones of others. */
export interface Holder {
  readonly owner: string;
  /** The duration of a lease, in milliseconds; absent if no other process can see the ledger. */
  readonly leaseMs: number | undefined;
  readonly retry: RetryPolicy;
}

/** Returns when a lease must be renewed: after a third of its duration. */
export function renewalMs(leaseUntilMs: number, leaseMs: number): number {
  return leaseUntilMs - (leaseMs * 2) / 3;
}

/** Renews the holder's leases that are due for renewal, and ignores those of others. */
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
 * Renews the holder's leases that are due for renewal, and takes over the fires of holders whose lease has expired: a
 * queued fire stays queued, a running one is `interrupted`, and queued again only if the retry policy says so.
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
      settle(fire, {
        status: 'interrupted',
        finished_at_ms: nowMs,
        reason: 'its process stopped responding',
      }),
    );
    return mayRunAgain(fire, holder.retry) ? [{ ...held, phase: 'waiting' }] : [];
  });
  return hasTaken ? stepTo({ ...ledger, active }, settled) : renewed;
}

function mayRunAgain(fire: ActiveFire, { retryInterrupted, maxAttempts }: RetryPolicy): boolean {
  return retryInterrupted && fire.cancel_reason === null && fire.attempt < maxAttempts;
}
