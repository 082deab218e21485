import { once } from 'node:events';
import type { NewRun, RunRecord, RunStore, SessionRequest } from '@svc/contracts/orchestrator';
import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';
import { findMemoryHome } from '../memory/runs/memory-home.js';
import type { RedactionSummary } from '../ingress/hide-private-data.js';
import { SessionValues, type KnownValues, type SentValues } from '../ingress/session-values.js';
import type { PlanMessage } from '../planning/plan-context.js';
import { isJsonObject } from '../json-object.js';
import { readTraceParent } from '../trace-parent.js';
import { FailedAttempts } from './journal/failed-attempts.js';
import { giveUpEntries, type GiveUpCode } from './journal/give-up.js';
import { LeaseKeeper } from './journal/lease-keeper.js';
import { noteNestedRun } from './calls/nested-runs.js';
import type { RunObserver, RunOrigin } from './turn/run-telemetry.js';
import { compileFacts, type RunLimits } from './record/compile-facts.js';
import type { RunMarks } from './record/run-marks.js';
import { RunSession, type RunSessionParts } from './run-session.js';
import type { SessionFacts } from './record/session-facts.js';
import { entryOf, type CancelData } from './record/session-record.js';
import type { SessionState } from './record/session-state.js';
import { fromStore, StoreFailure } from './journal/store-failure.js';

/** What a `SessionManager` needs. */
export interface SessionManagerOptions {
  /** How this process identifies itself for the store's leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly runLimits: RunLimits;
  readonly parts: RunSessionParts;
  readonly telemetry: RunObserver;
  /** Receives failures that nobody awaits. */
  readonly onError: (error: unknown, sessionId?: string) => void;
}

/** A run to be started. */
export interface StartedRun extends Omit<NewRun, 'owner' | 'leaseMs' | 'request' | 'nowMs'> {
  /** The caller's W3C trace context. */
  readonly traceParent?: string | undefined;
  /** The organization of the run's key. */
  readonly organization?: string | undefined;
  /** What redaction did to the request. */
  readonly redaction?: RedactionSummary;
  /** The private values sent with the request; never stored. */
  readonly sentValues?: SentValues;
}

interface ActiveRun {
  readonly projectId: string;
  readonly keyId: string;
  readonly session: RunSession;
  readonly done: Promise<void>;
}

/** Manages the runs of this process: starts new ones, takes over unfinished ones, renews their leases. */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #active = new Map<string, ActiveRun>();
  /** Starts in progress; two may have the same id. Their runs must not be mistaken for abandoned ones. */
  readonly #starting = new Set<{ readonly sessionId: string }>();
  readonly #values = new SessionValues();
  readonly #failed: FailedAttempts;
  readonly #leases: LeaseKeeper;
  #closed = false;

  constructor(options: SessionManagerOptions) {
    this.#options = options;
    this.#store = options.parts.store;
    this.#clock = options.parts.clock;
    this.#failed = new FailedAttempts(options.leaseMs / 3);
    this.#leases = new LeaseKeeper({
      ...options,
      store: this.#store,
      clock: this.#clock,
      failed: this.#failed,
      isHere: (sessionId) => this.#active.has(sessionId) || this.#isStarting(sessionId),
      resume: (record) => this.#resume(record),
    });
  }

  /** How many runs of a project work here. */
  activeCount(projectId: string): number {
    return [...this.#active.values()].filter((run) => run.projectId === projectId).length;
  }

  /** Whether this run works here and will continue to. */
  isAtWork(sessionId: string, projectId: string): boolean {
    return !this.#closed && this.#active.get(sessionId)?.projectId === projectId;
  }

  /** What a run that works here has read of its journal. */
  stateOf(sessionId: string): SessionState | undefined {
    return this.#active.get(sessionId)?.session.state;
  }

  /**
   * The known private values of a run. They are lost once the run was taken over from another process or an earlier
   * life.
   */
  valuesOf({ sessionId, request }: Pick<RunRecord, 'sessionId' | 'request'>): KnownValues {
    const wereSent = isJsonObject(request) && request['private_values_sent'] === true;
    return wereSent ? (this.#values.find(sessionId) ?? 'gone') : 'none';
  }

  /** The runs that work here, by key. */
  runsByKey(): Map<string, string[]> {
    const runs = new Map<string, string[]>();
    for (const [sessionId, { keyId }] of this.#active) {
      const known = runs.get(keyId);
      if (known) known.push(sessionId);
      else runs.set(keyId, [sessionId]);
    }
    return runs;
  }

  /** Takes over unfinished runs and starts renewing leases. */
  open(): Promise<void> {
    return this.#leases.open();
  }

  /** Stops taking over runs of other processes. */
  drain(): void {
    this.#leases.drain();
  }

  /**
   * Starts a run, unless its request cannot be planned: then it throws what `compilePlanRequest` throws.
   * @throws StoreFailure when the store fails; the run may have been stored, and is then taken over like an abandoned
   * one
   */
  async start(run: StartedRun, request: SessionRequest): Promise<RunRecord> {
    const { owner, leaseMs } = this.#options;
    const { traceParent, redaction, sentValues, organization: _organization, ...rest } = run;
    // Compiled before anything is stored, so that a request that cannot be planned leaves no run.
    const memory_home = await fromStore(findMemoryHome(this.#store, run, request));
    const marks = {
      redaction_summary: redaction,
      private_values_sent: sentValues ? true : undefined,
      trace_parent: traceParent,
      memory_home,
    } satisfies RunMarks;
    const stored = { ...request, ...marks };
    const earlier = await this.#earlierTurns(run);
    // Taken after these reads: a lease counted from before a slow one could be over when the run is stored.
    const nowMs = this.#clock.nowMs();
    const facts = this.#compile({ record: { ...run, createdAtMs: nowMs }, request: stored, earlier });
    const start = { sessionId: run.sessionId };
    this.#starting.add(start);
    try {
      await fromStore(noteNestedRun(this.#store, { ...run, nowMs }, request));
      const created = { ...rest, request: JSON.parse(JSON.stringify(stored)), owner, leaseMs, nowMs };
      const record = await fromStore(this.#store.createRun(created));
      if (sentValues) this.#values.keep(run.sessionId, sentValues);
      if (this.#closed) await fromStore(this.#store.releaseRun(run.sessionId, record.epoch));
      else this.#launch(record, { facts, traceParent, origin: 'start' });
      return record;
    } finally {
      this.#starting.delete(start);
    }
  }

  /** Ends all runs that work here. One that cannot be ended is reported, and does not hold up the others. */
  async cancelAll(data: CancelData): Promise<void> {
    const append = { entries: [entryOf('cancel', data)], nowMs: this.#clock.nowMs() };
    const cancel = async (sessionId: string) => {
      try {
        await this.#store.append(sessionId, append);
      } catch (error) {
        this.#options.onError(error, sessionId);
      }
    };
    await Promise.all([...this.#active.keys()].map(cancel));
  }

  /** Stops all loops and lets other processes take the runs over. */
  async close(): Promise<void> {
    this.#closed = true;
    const decided = this.#leases.close();
    const runs = [...this.#active.values()];
    for (const { session } of runs) session.stop();
    await Promise.all([decided, ...runs.map(({ done }) => done)]);
  }

  /** Resolves when no run works here, or when the signal aborts. */
  async whenIdle(signal: AbortSignal): Promise<void> {
    const aborted = once(signal, 'abort');
    while (this.#active.size > 0 && !signal.aborted) {
      await Promise.race([aborted, Promise.all([...this.#active.values()].map(({ done }) => done))]);
    }
  }

  #isStarting(sessionId: string): boolean {
    return [...this.#starting].some((start) => start.sessionId === sessionId);
  }

  #compile(input: Pick<Parameters<typeof compileFacts>[0], 'record' | 'request' | 'earlier'>): SessionFacts {
    const { parts, runLimits: limits } = this.#options;
    return compileFacts({ ...input, toolbox: parts.toolbox, limits });
  }

  async #earlierTurns({
    projectId,
    threadId,
  }: Pick<RunRecord, 'projectId' | 'threadId'>): Promise<PlanMessage[]> {
    return threadId === undefined ? [] : fromStore(this.#options.parts.threads.read(projectId, threadId));
  }

  #launch(record: RunRecord, from: RunOrigin): void {
    const { sessionId, projectId, keyId } = record;
    const telemetry = this.#options.telemetry.run(record, from);
    const session = new RunSession(record, { facts: from.facts, telemetry, parts: this.#options.parts });
    const done = this.#follow(session, record).finally(() => this.#active.delete(sessionId));
    this.#active.set(sessionId, { projectId, keyId, session, done });
  }

  async #follow(session: RunSession, record: RunRecord): Promise<void> {
    const { sessionId, epoch } = record;
    try {
      const end = await session.run();
      this.#forget(sessionId);
      if (end === 'stopped') await fromStore(this.#store.releaseRun(sessionId, epoch));
    } catch (error) {
      this.#loopFailed(error, sessionId);
    }
  }

  /** Drops what only this process knows of a run, unless its loop failed: the next attempt needs it. */
  #forget(sessionId: string): void {
    this.#failed.forget(sessionId);
    this.#values.drop(sessionId);
  }

  /** A later tick resumes the run from its journal. Attempts are limited, unless the store was at fault. */
  #loopFailed(error: unknown, sessionId: string): void {
    const { onError } = this.#options;
    if (error instanceof StoreFailure) onError(error.cause, sessionId);
    else if (this.#failed.add(sessionId, this.#clock.nowMs()) === 1) onError(error, sessionId);
  }

  async #resume(record: RunRecord): Promise<void> {
    if (this.#failed.isExhausted(record.sessionId)) return this.#giveUp(record, 'RUN_BROKEN');
    let earlier: PlanMessage[];
    try {
      earlier = await this.#earlierTurns(record);
    } catch (error) {
      return this.#loopFailed(error, record.sessionId);
    }
    try {
      const request = SessionRequestSchema.parse(record.request);
      const facts = this.#compile({ record, request, earlier });
      const traceParent = readTraceParent(request['trace_parent']);
      if (!this.#closed) return this.#launch(record, { facts, traceParent, origin: 'takeover' });
    } catch (error) {
      this.#options.onError(error, record.sessionId);
      return this.#giveUp(record, 'RUN_LOST');
    }
    await fromStore(this.#store.releaseRun(record.sessionId, record.epoch));
  }

  /** Ends a run that cannot continue, with a `final`. */
  async #giveUp(record: RunRecord, code: GiveUpCode): Promise<void> {
    const { sessionId, epoch } = record;
    const nowMs = this.#clock.nowMs();
    const entries = giveUpEntries(record, { code, nowMs });
    const append = { entries, epoch, nowMs, status: 'failed', ends: true } as const;
    const { outcome } = await fromStore(this.#store.append(sessionId, append));
    this.#forget(sessionId);
    if (outcome === 'appended') this.#options.telemetry.gaveUp(record, code);
  }
}
