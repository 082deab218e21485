import { AsyncLocalStorage } from 'node:async_hooks';
import { ScheduleError } from './errors.js';
import { neverRan, type ActiveFire, type Ledger, type SettledFire } from './ledger.js';
import type { RunRecord } from './run-record.js';

interface RunningFire {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Its work is done and only its end has to be written. */
  isEnding: boolean;
}

interface AwaitedFire<Result> {
  readonly atMs: number;
  /** It ended elsewhere, and what became of it is being looked up. */
  isGone: boolean;
  resolve(record: RunRecord<Result>): void;
}

/** The fire in whose work the code runs, so that a job that stops itself does not wait for itself. */
const currentFire = new AsyncLocalStorage<string>();

/** The fires of a job that run in this process, and who waits for one. */
export class FireWatch<Result> {
  readonly #jobName: string;
  readonly #owner: string;
  readonly #running = new Map<string, RunningFire>();
  readonly #awaited = new Map<string, AwaitedFire<Result>>();

  constructor(jobName: string, owner: string) {
    this.#jobName = jobName;
    this.#owner = owner;
  }

  /** How many fires run. */
  get size(): number {
    return this.#running.size;
  }

  /** Runs a fire; it counts as running until {@link forget}. */
  begin(fire: ActiveFire, run: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#running.set(fire.fire_id, { controller, ended, isEnding: false });
    void currentFire.run(fire.fire_id, async () => run(controller.signal)).finally(resolve);
  }

  /** The work of a fire is done. */
  end(fireId: string): void {
    const running = this.#running.get(fireId);
    if (running) running.isEnding = true;
  }

  /** A fire and its end are written. */
  forget(fireId: string): void {
    this.#running.delete(fireId);
  }

  /** Resolves with the record of a fire when it is over. */
  async await(fireId: string, atMs: number): Promise<RunRecord<Result>> {
    return new Promise((resolve) => this.#awaited.set(fireId, { atMs, isGone: false, resolve }));
  }

  /** Tells who waits for a fire that it is over. */
  tell(record: RunRecord<Result>): void {
    this.#awaited.get(record.fireId)?.resolve(record);
    this.#awaited.delete(record.fireId);
  }

  /** Stops the running fires that the ledger wants stopped, does not know any more, or has given to others. Gives those that waited and are gone. */
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

  /** The fires that are waited for when the job is over: what becomes of them is decided elsewhere. */
  leave(nowMs: number): SettledFire[] {
    const reason = 'the job was stopped here before the fire ended elsewhere';
    return [...this.#awaited].map((each) => endElsewhere(each, { status: 'interrupted', reason, nowMs }));
  }

  /** Tells every running fire to stop whose work is not done: it could undo what is to be written as its success. */
  abortAll(reason: string): void {
    for (const { controller, isEnding } of this.#running.values())
      if (!isEnding) controller.abort(this.#stopError('SCHEDULE_STOPPED', reason));
  }

  /** Waits until the fires that run now have ended, but for the one whose work asks. */
  async settled(): Promise<void> {
    const own = currentFire.getStore();
    const others = [...this.#running].filter(([fireId]) => fireId !== own);
    await Promise.all(others.map(([, { ended }]) => ended));
  }

  /** Whether the code that asks is the work of one of these fires. */
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
  return neverRan({ fire_id: fireId, origin: 'manual', ...times, ...end });
}
