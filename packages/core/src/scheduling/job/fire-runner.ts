import { endFire, recordAttempt } from '../fire/end-fire.js';
import type { FireWatch } from '../fire/fire-watch.js';
import type { JobAlarm } from './job-alarm.js';
import type { JobPlan } from './job-plan.js';
import type { LedgerBook } from '../store/ledger-book.js';
import { settle, type ActiveFire, type LedgerStep, type SettledFire } from '../store/ledger.js';
import { runFire, type FireOutcome } from '../fire/run-fire.js';
import { describeError } from '../fire/run-record.js';

/** How many times a stopping job tries to write the end of a fire, before it lets the lease expire. */
const MAX_FINAL_WRITES = 8;

/** How many ended fires are searched for one whose end may have been written. */
export const MAX_SEARCHED = 1_000;

/** The parts of a fire runner. */
export interface FireRunnerParts<Result> {
  readonly plan: JobPlan<Result>;
  readonly owner: string;
  readonly book: LedgerBook;
  readonly alarm: JobAlarm;
  readonly fires: FireWatch<Result>;
  /** Why the job is being stopped; undefined if it is not. */
  readonly stopReason: () => string | undefined;
  /** Called for each written step; an end includes the outcome that only this process knows. */
  onStep(step: LedgerStep, outcome?: FireOutcome<Result>): void;
  /** Called for an end without a step: it was written before, another process has the fire, or the store never worked. */
  onGone(end: SettledFire, outcome?: FireOutcome<Result>): void;
}

/** Runs the fires of a job that start in this process, and writes their attempts and ends to its ledger. */
export class FireRunner<Result> {
  readonly #parts: FireRunnerParts<Result>;

  constructor(parts: FireRunnerParts<Result>) {
    this.#parts = parts;
  }

  /** Runs a fire to its end, which has been written when this resolves. Never rejects. */
  async run(fire: ActiveFire, signal: AbortSignal): Promise<void> {
    const { plan, alarm } = this.#parts;
    const outcome = await runFire({
      work: plan.work,
      retry: plan.retry,
      context: {
        signal,
        jobName: plan.name,
        fireId: fire.fire_id,
        scheduledAt: new Date(fire.scheduled_at_ms),
        origin: fire.origin,
        attempt: fire.attempt,
        coalesced: fire.coalesced,
      },
      sleep: async (durationMs, stop) => alarm.sleep(durationMs, stop),
      onAttempt: async (attempt) => {
        if (plan.leaseMs !== undefined) await this.#recordAttempt(fire, attempt, signal);
      },
    });
    await this.#finish(fire, outcome);
  }

  /** Rejects if the fire must not be retried: it was replaced, or another process has it. */
  async #recordAttempt(fire: ActiveFire, attempt: number, signal: AbortSignal): Promise<void> {
    const { book, alarm } = this.#parts;
    const write = async () => book.take((ledger) => ledger && recordAttempt(ledger, fire, attempt));
    const step = await alarm.retry(write, { signal });
    if (step) this.#parts.onStep(step);
    signal.throwIfAborted();
  }

  async #finish(fire: ActiveFire, outcome: FireOutcome<Result>): Promise<void> {
    const { plan, owner, book, alarm, fires, stopReason } = this.#parts;
    const nowMs = plan.clock.now();
    const end = endOf(fire, outcome, nowMs);
    fires.end(fire.fire_id);
    // While the job is active, the lease is renewed: an end that was never written would block the fire's slot forever.
    const mayGiveUp = (attempts: number) => stopReason() !== undefined && attempts >= MAX_FINAL_WRITES;
    const write = async () => {
      const step = await book.take(
        (ledger) => ledger && endFire(ledger, end, { owner, limits: plan, nowMs, stopReason: stopReason() }),
      );
      return { step, hasEnd: step !== undefined || (await this.#hasEnd(end)) };
    };
    const { step, hasEnd } = (await alarm.retry(write, { mayGiveUp })) ?? {};
    fires.forget(fire.fire_id);
    if (step) this.#parts.onStep(step, outcome);
    else if (hasEnd) this.#parts.onGone(end, outcome);
    else {
      const reason = 'its lease was lost before its end could be written';
      this.#parts.onGone({ ...end, status: 'interrupted', reason, error: null });
    }
  }

  /** Whether the store has an end that is not in the ledger: it may have failed when it had written. */
  async #hasEnd(end: SettledFire): Promise<boolean> {
    const { store, name } = this.#parts.plan;
    const known = await store.history(name, MAX_SEARCHED);
    return known.some(
      ({ fire_id, attempt, status, finished_at_ms }) =>
        fire_id === end.fire_id &&
        attempt === end.attempt &&
        status === end.status &&
        finished_at_ms === end.finished_at_ms,
    );
  }
}

function endOf(fire: ActiveFire, outcome: FireOutcome<unknown>, nowMs: number): SettledFire {
  const { status, attempt } = outcome;
  const why = status === 'cancelled' && outcome.error instanceof Error ? outcome.error.message : null;
  const error = status === 'failed' ? describeError(outcome.error) : null;
  return settle({ ...fire, attempt }, { status, finished_at_ms: nowMs, reason: why, error });
}
