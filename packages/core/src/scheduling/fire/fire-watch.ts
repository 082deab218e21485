import { AsyncLocalStorage } from 'node:async_hooks';
import { ScheduleError } from '../errors.js';
import { settleWithoutRun, type ActiveFire, type Ledger, type SettledFire } from '../store/ledger.js';
import type { RunRecord } from './run-record.js';

interface RunningFire {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Whether its work is done and only its end has to be written. */
  isEnding: boolean;
}

interface AwaitedFire<Result> {
  readonly atMs: number;
  /** Whether it ended elsewhere and its outcome is being looked up. */
  isGone: boolean;
  /** Calls back in the async context of the caller who waits for it. */
  readonly enter: ReturnType<typeof AsyncLocalStorage.snapshot>;
  resolve(record: RunRecord<Result>): void;
}

/** A fire of the schedule belongs to no caller, whoever created the job or whichever fire it waited for. */
const outside = AsyncLocalStorage.snapshot();

/** The fire whose work is running, so that a job that stops itself does not wait for itself. */
const currentFire = new AsyncLocalStorage<string>();

/** The running fires of a job in this process, and the promises that wait for one. */
export class FireWatch<Result> {
  readonly #jobName: string;
  readonly #owner: string;
  readonly #running = new Map<string, RunningFire>();
  readonly #awaited = new Map<string, AwaitedFire<Result>>();

  constructor(jobName: string, owner: string) {
    this.#jobName = jobName;
    this.#owner = owner;
  }

  /** The number of running fires. */
  get size(): number {
    return this.#running.size;
  }

  /** Whether a fire is running, or its end is not written yet. */
  has(fireId: string): boolean {
    return this.#running.has(fireId);
  }

  /** Runs a fire, in the context of whoever awaits it; it counts as running until {@link forget}. */
  begin(fire: ActiveFire, run: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#running.set(fire.fire_id, { controller, ended, isEnding: false });
    const enter = this.#awaited.get(fire.fire_id)?.enter ?? outside;
    enter(() => void currentFire.run(fire.fire_id, async () => run(controller.signal)).finally(resolve));
  }

  /** Marks the work of a fire as done. */
  end(fireId: string): void {
    const running = this.#running.get(fireId);
    if (running) running.isEnding = true;
  }

  /** Removes a fire whose end has been written. */
  forget(fireId: string): void {
    this.#running.delete(fireId);
  }

  /** Resolves to the record of a fire when it has ended. */
  async await(fireId: string, atMs: number): Promise<RunRecord<Result>> {
    const enter = AsyncLocalStorage.snapshot();
    return new Promise((resolve) => this.#awaited.set(fireId, { atMs, isGone: false, enter, resolve }));
  }

  /** Resolves the promises that wait for a fire. */
  resolve(record: RunRecord<Result>): void {
    this.#awaited.get(record.fireId)?.resolve(record);
    this.#awaited.delete(record.fireId);
  }

  /**
   * Stops the running fires that the ledger cancels, no longer contains, or has assigned to others. Returns the awaited
   * fires that are gone.
   */
  reconcile(ledger: Ledger, nowMs: number): SettledFire[] {
    if (this.#running.size === 0 && this.#awaited.size === 0) return [];
    const active = new Map(ledger.active.map((fire) => [fire.fire_id, fire]));
    for (const [fireId, { controller, isEnding }] of this.#running) {
      const fire = active.get(fireId);
      if (isEnding || controller.signal.aborted) continue;
      if (fire?.owner !== this.#owner)
        controller.abort(this.#stopError('SCHEDULE_LEASE_LOST', 'its lease was lost'));
      else if (fire.cancel_reason !== null)
        controller.abort(this.#stopError('SCHEDULE_REPLACED', fire.cancel_reason));
    }
    const gone = [...this.#awaited].filter(
      ([fireId, { isGone }]) => !isGone && !active.has(fireId) && !this.#running.has(fireId),
    );
    for (const [, awaited] of gone) awaited.isGone = true;
    const reason = 'given up by another process';
    return gone.map((each) => endElsewhere(each, { status: 'cancelled', reason, nowMs }));
  }

  /** Returns the fires that are still awaited when the job has ended, because they end in another process. */
  endAwaited(nowMs: number): SettledFire[] {
    const reason = 'the job was stopped here before the fire ended elsewhere';
    return [...this.#awaited].map((each) => endElsewhere(each, { status: 'interrupted', reason, nowMs }));
  }

  /**
   * Stops every running fire whose work is not done; stopping a finished one could undo what is about to be recorded as
   * a success.
   */
  abortAll(reason: string): void {
    for (const { controller, isEnding } of this.#running.values())
      if (!isEnding) controller.abort(this.#stopError('SCHEDULE_STOPPED', reason));
  }

  /** Waits until the running fires have ended, except for the one whose work is calling. */
  async settled(): Promise<void> {
    const own = currentFire.getStore();
    const others = [...this.#running].filter(([fireId]) => fireId !== own);
    await Promise.all(others.map(([, { ended }]) => ended));
  }

  /** Whether the caller is the work of one of these fires. */
  get isInside(): boolean {
    const own = currentFire.getStore();
    return own !== undefined && this.#running.has(own);
  }

  #stopError(code: string, reason: string): ScheduleError {
    return new ScheduleError(reason, { code, details: { job: this.#jobName } });
  }
}

function endElsewhere(
  [fireId, { atMs }]: readonly [string, { readonly atMs: number }],
  { nowMs, ...end }: { status: 'cancelled' | 'interrupted'; reason: string; nowMs: number },
): SettledFire {
  const times = { scheduled_at_ms: atMs, finished_at_ms: nowMs };
  return settleWithoutRun({ fire_id: fireId, origin: 'manual', ...times, ...end });
}
