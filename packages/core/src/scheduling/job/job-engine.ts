import { isExhausted } from '../fire/admit-fire.js';
import { cancelWaiting, skipUntil } from '../fire/end-fire.js';
import { ScheduleError } from '../errors.js';
import { FirePlanner, MAX_DUE } from '../fire/fire-planner.js';
import { FireRunner, MAX_SEARCHED } from './fire-runner.js';
import { FireWatch } from '../fire/fire-watch.js';
import { JobAlarm } from './job-alarm.js';
import { JobJournal } from './job-journal.js';
import type { JobPlan } from './job-plan.js';
import { LedgerBook } from '../store/ledger-book.js';
import type { ActiveFire, Ledger, LedgerStep, SettledFire } from '../store/ledger.js';
import { judgeDueFires, type FireDecision } from '../policy/misfire.js';
import { openLedger } from '../store/open-ledger.js';
import { describeRunning, describeSettled, type RunRecord } from '../fire/run-record.js';
import type { FireOutcome } from '../fire/run-fire.js';
import { renewLeases } from '../fire/take-over.js';
import { addManualFire, tick, type TickRules } from '../fire/tick.js';

/** The status of a job. `finished`: nothing is left to fire; `missed`: its only moment had passed before it started. */
export type JobStatus = 'active' | 'paused' | 'stopping' | 'stopped' | 'finished' | 'missed';

/** Runs the fires of a job: looks at its ledger when something is due, and runs what the ledger starts. */
export class JobEngine<Result> {
  readonly journal: JobJournal<Result>;
  readonly fires: FireWatch<Result>;
  readonly #plan: JobPlan<Result>;
  readonly #rules: TickRules;
  readonly #book: LedgerBook;
  readonly #planner: FirePlanner;
  readonly #alarm: JobAlarm;
  readonly #runner: FireRunner<Result>;
  /** Pending lookups, which are awaited before the job ends. */
  readonly #lookups = new Set<Promise<void>>();
  readonly #over = Promise.withResolvers<void>();
  readonly #opened: Promise<void>;
  #opening: Promise<void> | undefined;
  #ledger: Ledger | undefined;
  #status: JobStatus = 'active';
  #stopReason: string | undefined;
  /** How often it was paused, so that a `resume()` under way does not undo a later pause. */
  #pauses = 0;

  constructor(plan: JobPlan<Result>) {
    this.#plan = plan;
    this.#rules = { ...plan, owner: plan.newId(), newFireId: plan.newId };
    this.#book = new LedgerBook(plan.store, plan.name);
    this.#planner = new FirePlanner(plan);
    this.#alarm = new JobAlarm(plan, this.#rules.owner, () => void this.#wake());
    this.journal = new JobJournal(plan);
    this.fires = new FireWatch(plan.name, this.#rules.owner);
    this.#runner = new FireRunner({
      plan,
      owner: this.#rules.owner,
      book: this.#book,
      alarm: this.#alarm,
      fires: this.fires,
      stopReason: () => this.#stopReason,
      onStep: (step, outcome) => this.#apply(step, outcome),
      onGone: (end, outcome) => this.#recordOwn(end, outcome),
    });
    this.#opened = this.#wake();
  }

  get status(): JobStatus {
    return this.#status;
  }

  /** Resolves when the job has ended. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** The time of the next fire; undefined if there is none. */
  get nextDueMs(): number | undefined {
    return this.#status === 'active' ? this.#findNext()?.dueAtMs : undefined;
  }

  /** The time when the job first started, or now if it is not known yet. */
  get anchorMs(): number {
    return this.#ledger?.anchor_ms ?? this.#plan.clock.now();
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#status !== 'active') return;
    this.#status = 'paused';
    if (this.#ledger) this.#scheduleNext(this.#ledger);
  }

  /** Resumes with the fires after now; those due during the pause are skipped. */
  async resume(): Promise<void> {
    if (this.#status !== 'paused') return;
    const pauses = this.#pauses;
    await this.#ensureOpen();
    const nowMs = this.#plan.clock.now();
    const step = await this.#book.take((ledger) => ledger && this.#skipDue(ledger, nowMs));
    this.#planner.startFrom(nowMs);
    if (this.#status === 'paused' && pauses === this.#pauses) this.#status = 'active';
    if (step) this.#apply(step);
  }

  /** Skips the fires that were due; one that jitter moves later may be run by another process. */
  #skipDue(ledger: Ledger, nowMs: number): LedgerStep {
    const past = this.#planner.listDue(ledger, nowMs).filter(({ scheduledAtMs }) => scheduledAtMs <= nowMs);
    return skipUntil(ledger, past.at(-1)?.scheduledAtMs ?? ledger.cursor_ms);
  }

  /** Fires now, regardless of the schedule. */
  async trigger(): Promise<RunRecord<Result>> {
    await this.#opened;
    this.#assertCanFire();
    await this.#ensureOpen();
    const fireId = this.#plan.newId();
    const nowMs = this.#plan.clock.now();
    const step = await this.#book.take((ledger) => {
      this.#assertCanFire();
      return ledger && addManualFire(ledger, this.#rules, fireId, nowMs);
    });
    if (!step) {
      throw new ScheduleError(
        `The job '${this.#plan.name}' cannot fire: its last run has begun, or its store is not readable.`,
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

  /** Starts no more fires. The job ends when the last fire has ended. */
  async windDown(reason: string): Promise<void> {
    if (this.#status !== 'active' && this.#status !== 'paused') return;
    this.#status = 'stopping';
    this.#stopReason = reason;
    await this.#opened;
    try {
      const step = await this.#book.take(
        (ledger) => ledger && cancelWaiting(ledger, this.#rules.owner, reason, this.#plan.clock.now()),
      );
      if (step) this.#apply(step);
    } catch (error) {
      this.#plan.logger.error('The queued fires of a job could not be cancelled.', { error });
    }
    this.#endIfIdle();
  }

  async #wake(): Promise<void> {
    try {
      await (this.#ledger ? this.#takeStep() : this.#ensureOpen());
      this.#alarm.resetBackOff();
    } catch (error) {
      this.#plan.logger.error('The store of a job failed; retrying.', { error });
      if (!this.#isOver) this.#alarm.backOff();
    }
  }

  /** Reads the store if that failed before: without it, the job knows neither its history nor a changed schedule. */
  async #ensureOpen(): Promise<void> {
    if (!this.#ledger) await (this.#opening ??= this.#open().finally(() => (this.#opening = undefined)));
  }

  async #open(): Promise<void> {
    const { schedule, clock, store, name, historySize, leaseMs } = this.#plan;
    const nowMs = clock.now();
    const known = leaseMs === undefined ? [] : await store.history(name, historySize);
    const step = await this.#book.take((stored) => openLedger(stored, { ...this.#rules, schedule, nowMs }));
    // A job that is new to the store is not late for a fire that jitter would have moved before its start.
    if (step.ledger.cursor_ms === nowMs) this.#planner.startFrom(nowMs);
    this.#ledger = step.ledger;
    this.journal.restore(known.map((fire) => describeSettled<Result>(name, fire)));
    for (const fire of step.settled) this.#record(fire);
    if (step.settled.length > 0) this.#end('missed');
    else await this.#takeStep();
  }

  async #takeStep(): Promise<void> {
    const nowMs = this.#plan.clock.now();
    const step = await this.#book.take((ledger) => ledger && this.#step(ledger, nowMs));
    if (step) this.#apply(step);
  }

  /** Takes a step; a stopping job starts nothing, neither its own fires nor another process's. */
  #step(ledger: Ledger, nowMs: number): LedgerStep | undefined {
    if (this.#isOver) return undefined;
    if (this.#status === 'stopping') return renewLeases(ledger, this.#rules, nowMs);
    const decide = (kept: Ledger) => this.#decide(kept, nowMs);
    return tick(ledger, this.#rules, { nowMs, decide: this.#status === 'active' ? decide : undefined });
  }

  #decide(ledger: Ledger, nowMs: number): readonly FireDecision[] {
    const due = this.#planner.listDue(ledger, nowMs);
    if (due.length > MAX_DUE) {
      this.#plan.logger.warn('Too many fires were missed to handle them one by one; some are not recorded.', {
        first_scheduled_at_ms: due[0]?.scheduledAtMs,
        looked_at: due.length,
      });
    }
    return judgeDueFires(due, nowMs, this.#plan.misfire);
  }

  #apply(step: LedgerStep, outcome?: FireOutcome<Result>): void {
    this.#ledger = step.ledger;
    for (const fire of step.settled) this.#record(fire, outcome);
    for (const fire of this.#listBegun(step)) this.#begin(fire);
    this.#lookUp(this.fires.reconcile(step.ledger, this.#plan.clock.now()));
    this.#scheduleNext(step.ledger);
  }

  /** Lists the fires to start, also those of a step that the store has written although it failed. */
  #listBegun({ ledger, begun }: LedgerStep): readonly ActiveFire[] {
    if (this.#status === 'stopping') return begun;
    const { owner: self } = this.#rules;
    return ledger.active.filter(
      ({ phase, owner, fire_id }) => phase === 'running' && owner === self && !this.fires.has(fire_id),
    );
  }

  #record(fire: SettledFire, outcome?: FireOutcome<Result>): void {
    const known = outcome?.status === 'succeeded' ? { result: outcome.result } : { error: outcome?.error };
    const record = describeSettled<Result>(this.#plan.name, fire, fire.status === 'cancelled' ? {} : known);
    this.journal.add(record);
    this.fires.resolve(record);
  }

  /** Looks up triggered fires that another process ended in the store. */
  #lookUp(gone: readonly SettledFire[]): void {
    if (gone.length === 0) return;
    const lookup = this.#recordGone(gone).finally(() => this.#lookups.delete(lookup));
    this.#lookups.add(lookup);
  }

  async #recordGone(gone: readonly SettledFire[]): Promise<void> {
    const { store, name, logger } = this.#plan;
    const known = await store.history(name, MAX_SEARCHED).catch((error: unknown) => {
      logger.error('The outcome of a triggered fire could not be read.', { error });
      return [];
    });
    for (const fire of gone) this.#record(known.findLast(({ fire_id }) => fire_id === fire.fire_id) ?? fire);
  }

  #begin(fire: ActiveFire): void {
    this.journal.add(describeRunning(this.#plan.name, fire));
    this.fires.begin(fire, async (signal) => this.#runner.run(fire, signal));
  }

  #recordOwn(end: SettledFire, outcome?: FireOutcome<Result>): void {
    this.#record(end, outcome);
    if (this.#ledger) this.#scheduleNext(this.#ledger);
  }

  /** Ends the job after a step, or sets the alarm for what is due next. */
  #scheduleNext(ledger: Ledger): void {
    if (this.#isOver) return;
    if (this.#status === 'stopping') this.#endIfIdle();
    else if (this.fires.size === 0 && ledger.active.length === 0 && !this.#findNext()) this.#end('finished');
    if (this.#isOver) return;
    const isOwn = ({ owner }: ActiveFire) => owner === this.#rules.owner;
    const watched = this.#status === 'stopping' ? ledger.active.filter(isOwn) : ledger.active;
    this.#alarm.set(watched, this.nextDueMs);
  }

  #endIfIdle(): void {
    if (this.#status === 'stopping' && this.fires.size === 0) this.#end('stopped');
  }

  #end(status: JobStatus): void {
    this.#status = status;
    this.#alarm.cancel();
    void this.#resolveAll().then(() => this.#over.resolve());
  }

  /** Resolves everything that waits for the ended job, even for a fire that another process still has. */
  async #resolveAll(): Promise<void> {
    await Promise.all(this.#lookups);
    const { name, clock } = this.#plan;
    for (const fire of this.fires.endAwaited(clock.now()))
      this.fires.resolve(describeSettled<Result>(name, fire));
    await this.journal.end();
  }

  #findNext() {
    const ledger = this.#ledger;
    return !ledger || isExhausted(ledger, this.#plan) ? undefined : this.#planner.next(ledger);
  }

  get #isOver(): boolean {
    return this.#status === 'stopped' || this.#status === 'finished' || this.#status === 'missed';
  }

  #assertCanFire(): void {
    if (this.#status === 'active' || this.#status === 'paused') return;
    throw new ScheduleError(`The job '${this.#plan.name}' is ${this.#status} and cannot fire any more.`, {
      code: 'SCHEDULE_JOB_ENDED',
      details: { job: this.#plan.name, status: this.#status },
    });
  }
}
