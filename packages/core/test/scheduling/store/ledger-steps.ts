import type { ActiveFire, Ledger } from '../../../src/scheduling/store/ledger.js';
import { parseOverlap, type Overlap } from '../../../src/scheduling/policy/overlap.js';
import { parseRetry, type RetryOptions } from '../../../src/scheduling/policy/retry.js';
import type { TickRules } from '../../../src/scheduling/fire/tick.js';

/** Builds a ledger of fires from strings such as `id`, `id running` and `id waiting theirs`. */
export function ledgerOf(fires: string[], rest: Partial<Ledger> = {}): Ledger {
  return { definition: 'every 1', anchor_ms: 0, cursor_ms: 0, runs: 0, active: fires.map(fireOf), ...rest };
}

export function fireOf(text: string): ActiveFire {
  const [id = '', phase = 'waiting', owner = 'mine', attempt = phase === 'running' ? '1' : '0'] =
    text.split(' ');
  return {
    fire_id: id,
    origin: 'schedule',
    scheduled_at_ms: 0,
    jitter_ms: 0,
    coalesced: 0,
    attempt: Number(attempt),
    fired_at_ms: phase === 'running' ? 0 : null,
    phase: phase === 'running' ? 'running' : 'waiting',
    owner,
    lease_until_ms: 30_000,
    cancel_reason: null,
  };
}

export function rulesOf(
  given: { overlap?: Overlap; retry?: RetryOptions; maxRuns?: number; leaseMs?: number | undefined } = {},
): TickRules {
  let ids = 0;
  return {
    owner: 'mine',
    leaseMs: 'leaseMs' in given ? given.leaseMs : 30_000,
    overlap: parseOverlap(given.overlap ?? 'skip'),
    retry: parseRetry(given.retry ?? {}),
    maxRuns: given.maxRuns,
    newFireId: () => `new${(ids += 1)}`,
  };
}

/** The active fires of a ledger as short strings. */
export function activeOf({ active }: Ledger): string[] {
  return active.map(
    ({ fire_id, phase, owner, attempt, cancel_reason }) =>
      `${fire_id} ${phase} ${owner} ${attempt}${cancel_reason === null ? '' : ' cancelled'}`,
  );
}
