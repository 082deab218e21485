import { admitFire, beginWaiting, isExhausted, type FireLimits } from './admit-fire.js';
import {
  settle,
  stepTo,
  type ActiveFire,
  type Ledger,
  type LedgerStep,
  type SettledFire,
} from '../store/ledger.js';
import type { FireDecision } from '../policy/misfire.js';
import { keepLeases, type Holder } from './take-over.js';

/** The rules for the steps of a job's ledger. */
export interface TickRules extends FireLimits, Holder {
  newFireId(): string;
}

/**
 * Takes one step of a job: leases, due fires, queued fires. It is pure, so that it can be repeated if another process
 * was faster.
 */
export function tick(
  ledger: Ledger,
  rules: TickRules,
  now: { nowMs: number; decide: ((ledger: Ledger) => readonly FireDecision[]) | undefined },
): LedgerStep {
  const { nowMs, decide } = now;
  const kept = keepLeases(ledger, rules, nowMs);
  const decided = settleDue(kept.ledger, decide?.(kept.ledger) ?? [], rules, nowMs);
  const begun = beginWaiting(decided.ledger, rules.owner, rules, nowMs);
  return { ...begun, settled: [...kept.settled, ...decided.settled] };
}

function settleDue(
  ledger: Ledger,
  decisions: readonly FireDecision[],
  rules: TickRules,
  nowMs: number,
): LedgerStep {
  const settled: SettledFire[] = [];
  let current = ledger;
  for (const decision of decisions) {
    if (isExhausted(current, rules)) break;
    const step = settleOne(current, decision, rules, nowMs);
    current = { ...step.ledger, cursor_ms: Math.max(current.cursor_ms, decision.fire.scheduledAtMs) };
    settled.push(...step.settled);
  }
  return stepTo(current, settled);
}

function settleOne(ledger: Ledger, decision: FireDecision, rules: TickRules, nowMs: number): LedgerStep {
  const fire = newFire(rules, nowMs, {
    fire_id: rules.newFireId(),
    origin: 'schedule',
    scheduled_at_ms: decision.fire.scheduledAtMs,
    jitter_ms: decision.fire.jitterMs,
    coalesced: decision.coalesced,
  });
  if (decision.verdict === 'run')
    return admitFire(ledger, fire, decision.catchesUp ? withoutSkip(rules) : rules, nowMs);
  const reason = decision.reason ?? null;
  return stepTo(ledger, [settle(fire, { status: decision.verdict, finished_at_ms: nowMs, reason })]);
}

/** Limits under which late fires do not skip one another: `fire_now` runs each of them, and limits their number itself. */
function withoutSkip(limits: FireLimits): FireLimits {
  const { policy } = limits.overlap;
  if (policy === 'replace') return limits;
  return { ...limits, overlap: { ...limits.overlap, policy: 'queue', maxQueued: Number.POSITIVE_INFINITY } };
}

/** Adds a triggered fire; returns undefined if the job has had all its runs. */
export function addManualFire(
  ledger: Ledger,
  rules: TickRules,
  fireId: string,
  nowMs: number,
): LedgerStep | undefined {
  if (isExhausted(ledger, rules)) return undefined;
  const request = {
    fire_id: fireId,
    origin: 'manual',
    scheduled_at_ms: nowMs,
    jitter_ms: 0,
    coalesced: 0,
  } as const;
  const fire = newFire(rules, nowMs, request);
  const admitted = admitFire(ledger, fire, rules, nowMs);
  const begun = beginWaiting(admitted.ledger, rules.owner, rules, nowMs);
  return { ...begun, settled: admitted.settled };
}

function newFire(
  rules: TickRules,
  nowMs: number,
  fields: Pick<ActiveFire, 'fire_id' | 'origin' | 'scheduled_at_ms' | 'jitter_ms' | 'coalesced'>,
): ActiveFire {
  return {
    ...fields,
    attempt: 0,
    fired_at_ms: null,
    phase: 'waiting',
    owner: rules.owner,
    lease_until_ms: rules.leaseMs === undefined ? null : nowMs + rules.leaseMs,
    cancel_reason: null,
  };
}
