import { isExhausted } from './admit-fire.js';
import { endFire, giveUpWaiting, noteAttempt, skipUntil } from './end-fire.js';
import { ScheduleError } from './errors.js';
import { FirePlanner, MOST_DUE } from './fire-planner.js';
import { FireWatch } from './fire-watch.js';
import { JobAlarm } from './job-alarm.js';
import { JobJournal } from './job-journal.js';
import type { JobPlan } from './job-plan.js';
import { LedgerBook } from './ledger-book.js';
import { settle, type ActiveFire, type Ledger, type LedgerStep, type SettledFire } from './ledger.js';
import { judgeDueFires, type FireDecision } from './misfire.js';
import { openLedger } from './open-ledger.js';
import { describeError, describeRunning, describeSettled, type RunRecord } from './run-record.js';
import { runFire, type FireOutcome } from './run-fire.js';
import { renewLeases } from './take-over.js';
import { noteManualFire, tick, type TickRules } from './tick.js';

/** What a job is doing. `finished`: nothing is left to fire; `missed`: its only moment had passed before it started. */
export type JobStatus = 'active' | 'paused' | 'stopping' | 'stopped' | 'finished' | 'missed';

/** How often a job that is being stopped writes the end of a fire, before it leaves its lease to run out. */
const MOST_LAST_WRITES = 8;

/** Among so many ended fires one is looked for that another process ended. */
const MOST_RECENT = 1_000;

/** Makes a job's fires happen: looks at its ledger when something is due, and runs what the ledger says. */
export class JobEngine<Result> {
  readonly journal: JobJournal<Result>;
  readonly fires: FireWatch<Result>;
  readonly #plan: JobPlan<Result>;
  readonly #rules: TickRules;
  readonly #book: LedgerBook;
  readonly #planner: FirePlanner;
  readonly #alarm: JobAlarm;
  readonly #over = Promise.withResolvers<void>();
  readonly #opened: Promise<void>;
  #ledger: Ledger | undefined;
  #status: JobStatus = 'active';

  constructor(plan: JobPlan<Result>) {
    const { callbacks, historySize, logger } = plan;
    this.#plan = plan;
    this.#rules = { ...plan, owner: plan.newId(), newFireId: plan.newId };
    this.#book = new LedgerBook(plan.store, plan.name);
    this.#planner = new FirePlanner(plan);
    this.#alarm = new JobAlarm(plan, this.#rules.owner, () => void this.#wake());
    this.journal = new JobJournal({ callbacks, historySize, logger });
    this.fires = new FireWatch(plan.name, this.#rules.owner);
    this.#opened = this.#wake();
  }

  get status(): JobStatus {
    return this.#status;
  }

  /** Resolves when the job is over. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** When the next fire is due; undefined while none is. */
  get nextDueMs(): number | undefined {
    return this.#status === 'active' ? this.#findNext()?.dueAtMs : undefined;
  }

  /** When the job first started, if that is known already. */
  get anchorMs(): number {
    return this.#ledger?.anchor_ms ?? this.#plan.clock.now();
  }

  pause(): void {
    if (this.#status !== 'active') return;
    this.#status = 'paused';
    if (this.#ledger) this.#rest(this.#ledger);
  }

  /** Goes on with the fires after now; those of the pause are let go. */
  async resume(): Promise<void> {
    if (this.#status !== 'paused') return;
    const nowMs = this.#plan.clock.now();
    this.#planner.startFrom(nowMs);
    const step = await this.#book.take((ledger) => ledger && skipUntil(ledger, nowMs));
    if (this.#status === 'paused') this.#status = 'active';
    if (step) this.#apply(step);
  }

  /** Fires now, whatever the schedule says. */
  async trigger(): Promise<RunRecord<Result>> {
    await this.#opened;
    const fireId = this.#plan.newId();
    const nowMs = this.#plan.clock.now();
    const step = await this.#book.take((ledger) => {
      this.#assertGoing();
      return ledger && noteManualFire(ledger, this.#rules, fireId, nowMs);
    });
    if (!step) {
      throw new ScheduleError(
        `'${this.#plan.name}' cannot fire: it has had all its runs, or its store is not readable.`,
        {
          code: 'SCHEDULE_EXHAUSTED',
          details: { job: this.#plan.name },
        },
      );
    }
    const record = this.fires.await(fireId, nowMs);
    this.#apply(step);
    return record;
  }

  /** Lets nothing new begin. The job is over when the last fire has ended. */
  async wind(reason: string): Promise<void> {
    if (this.#status !== 'active' && this.#status !== 'paused') return;
    this.#status = 'stopping';
    await this.#opened;
    try {
      const step = await this.#book.take(
        (ledger) => ledger && giveUpWaiting(ledger, this.#rules.owner, reason, this.#plan.clock.now()),
      );
      if (step) this.#apply(step);
    } catch (error) {
      this.#plan.logger.error('The waiting fires of a job could not be given up.', { error });
    }
    this.#endIfStill();
  }

  async #wake(): Promise<void> {
    try {
      await (this.#ledger ? this.#look() : this.#open());
      this.#alarm.calm();
    } catch (error) {
      this.#plan.logger.error('The store of a job failed; it is tried again.', { error });
      if (!this.#isOver) this.#alarm.backOff();
    }
  }

  async #open(): Promise<void> {
    const { schedule, clock, store, name, historySize, leaseMs } = this.#plan;
    const nowMs = clock.now();
    const known = leaseMs === undefined ? [] : await store.history(name, historySize);
    const step = await this.#book.take((stored) => openLedger(stored, { ...this.#rules, schedule, nowMs }));
    // A job that is new to the store is not late for what its jitter would have fired before it was there.
    if (step.ledger.cursor_ms === nowMs) this.#planner.startFrom(nowMs);
    this.#ledger = step.ledger;
    this.journal.restore(known.map((fire) => describeSettled<Result>(name, fire)));
    for (const fire of step.settled) this.#note(fire);
    if (step.settled.length > 0) this.#end('missed');
    else await this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isOver) return;
    const nowMs = this.#plan.clock.now();
    const step = await this.#book.take((ledger) => ledger && this.#step(ledger, nowMs));
    if (step) this.#apply(step);
  }

  /** A job that is being stopped begins nothing, its own or another process's. */
  #step(ledger: Ledger, nowMs: number): LedgerStep | undefined {
    if (this.#isOver) return undefined;
    if (this.#status === 'stopping') return renewLeases(ledger, this.#rules, nowMs);
    const decide = (kept: Ledger) => this.#decide(kept, nowMs);
    return tick(ledger, this.#rules, { nowMs, decide: this.#status === 'active' ? decide : undefined });
  }

  #decide(ledger: Ledger, nowMs: number): readonly FireDecision[] {
    const due = this.#planner.listDue(ledger, nowMs);
    if (due.length > MOST_DUE) {
      this.#plan.logger.warn(
        'More fires were missed than are looked at one by one; those between are not recorded.',
        {
          first_scheduled_at_ms: due[0]?.scheduledAtMs,
          looked_at: due.length,
        },
      );
    }
    return judgeDueFires(due, nowMs, this.#plan.misfire);
  }

  #apply(step: LedgerStep, own?: { fireId: string; outcome: FireOutcome<Result> }): void {
    this.#ledger = step.ledger;
    for (const fire of step.settled) this.#note(fire, fire.fire_id === own?.fireId ? own.outcome : undefined);
    for (const fire of step.begun) this.#begin(fire);
    for (const lost of this.fires.heed(step.ledger, this.#plan.clock.now())) void this.#noteGone(lost);
    this.#rest(step.ledger);
  }

  #note(fire: SettledFire, outcome?: FireOutcome<Result>): void {
    const known = outcome?.status === 'succeeded' ? { result: outcome.result } : { error: outcome?.error };
    const record = describeSettled<Result>(this.#plan.name, fire, fire.status === 'cancelled' ? {} : known);
    this.journal.note(record);
    this.fires.tell(record);
  }

  /** A triggered fire that another process ended: its store knows how. */
  async #noteGone(lost: SettledFire): Promise<void> {
    const { store, name, logger } = this.#plan;
    const known = await store.history(name, MOST_RECENT).catch((error: unknown) => {
      logger.error('What became of a triggered fire could not be read.', { error });
      return [];
    });
    this.#note(known.findLast(({ fire_id }) => fire_id === lost.fire_id) ?? lost);
  }

  #begin(fire: ActiveFire): void {
    this.journal.note(describeRunning(this.#plan.name, fire));
    this.fires.begin(fire, async (signal) => this.#run(fire, signal));
  }

  async #run(fire: ActiveFire, signal: AbortSignal): Promise<void> {
    const { work, retry, name, leaseMs } = this.#plan;
    const outcome = await runFire({
      work,
      retry,
      context: {
        signal,
        jobName: name,
        fireId: fire.fire_id,
        scheduledAt: new Date(fire.scheduled_at_ms),
        origin: fire.origin,
        attempt: fire.attempt,
        coalesced: fire.coalesced,
      },
      sleep: async (durationMs, stop) => this.#alarm.sleep(durationMs, stop),
      onAttempt: async (attempt) => {
        if (leaseMs !== undefined) await this.#noteAttempt(fire, attempt, signal);
      },
    });
    await this.#finish(fire, outcome);
  }

  /** Rejects when the fire is not to be tried again: it was replaced, or another process has it. */
  async #noteAttempt(fire: ActiveFire, attempt: number, signal: AbortSignal): Promise<void> {
    const write = async () => this.#book.take((ledger) => ledger && noteAttempt(ledger, fire, attempt));
    const step = await this.#alarm.insist(write, { signal });
    if (step) this.#apply(step);
    signal.throwIfAborted();
  }

  async #finish(fire: ActiveFire, outcome: FireOutcome<Result>): Promise<void> {
    const nowMs = this.#plan.clock.now();
    const { status, attempt } = outcome;
    const why = status === 'cancelled' && outcome.error instanceof Error ? outcome.error.message : null;
    const error = status === 'failed' ? describeError(outcome.error) : null;
    const end = settle({ ...fire, attempt }, { status, finished_at_ms: nowMs, reason: why, error });
    const next = { owner: this.#rules.owner, limits: this.#plan, nowMs };
    this.fires.end(fire.fire_id);
    // While the job goes on, its lease is renewed: an end that was never written would keep the fire's place for ever.
    const isEnough = (attempts: number) => this.#status === 'stopping' && attempts >= MOST_LAST_WRITES;
    const write = async () => this.#book.take((ledger) => ledger && endFire(ledger, end, next));
    const step = await this.#alarm.insist(write, { isEnough });
    this.fires.forget(fire.fire_id);
    if (step) return this.#apply(step, { fireId: fire.fire_id, outcome });
    this.#note({
      ...end,
      status: 'interrupted',
      reason: 'its lease was lost before its end could be written',
      error: null,
    });
    if (this.#ledger) this.#rest(this.#ledger);
  }

  /** After a step: the job is over, or its alarm is set for what comes next. */
  #rest(ledger: Ledger): void {
    if (this.#isOver) return;
    if (this.#status === 'stopping') this.#endIfStill();
    else if (this.fires.size === 0 && ledger.active.length === 0 && !this.#findNext()) this.#end('finished');
    if (this.#isOver) return;
    const isOwn = ({ owner }: ActiveFire) => owner === this.#rules.owner;
    const watched = this.#status === 'stopping' ? ledger.active.filter(isOwn) : ledger.active;
    this.#alarm.set(watched, this.nextDueMs);
  }

  #endIfStill(): void {
    if (this.#status === 'stopping' && this.fires.size === 0) this.#end('stopped');
  }

  #end(status: JobStatus): void {
    this.#status = status;
    this.#alarm.cancel();
    void this.journal.end().then(() => this.#over.resolve());
  }

  #findNext() {
    const ledger = this.#ledger;
    return !ledger || isExhausted(ledger, this.#plan) ? undefined : this.#planner.next(ledger);
  }

  get #isOver(): boolean {
    return this.#status === 'stopped' || this.#status === 'finished' || this.#status === 'missed';
  }

  #assertGoing(): void {
    if (this.#status === 'active' || this.#status === 'paused') return;
    throw new ScheduleError(`'${this.#plan.name}' is ${this.#status} and fires no more.`, {
      code: 'SCHEDULE_JOB_ENDED',
      details: { job: this.#plan.name, status: this.#status },
    });
  }
}
