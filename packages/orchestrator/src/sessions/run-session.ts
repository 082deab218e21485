import type {
  JournalEntry,
  JournalRecord,
  RunRecord,
  RunStatus,
  RunStore,
} from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';
import type { Memory } from '../memory/memory.js';
import type { RunTelemetry } from './turn/run-telemetry.js';
import type { PlanContext } from '../planning/plan-context.js';
import type { Planner } from '../planning/planner.js';
import { runUnreadable } from '../store/errors.js';
import type { SystemToolbox } from '../system-tools/system-toolbox.js';
import { decide } from './turn/decide.js';
import type { Decision, RunEnding } from './record/decision.js';
import { phaseEntry } from './journal/emit.js';
import { finalPayload, spokenTexts } from './journal/final.js';
import { JournalWriter } from './journal/journal-writer.js';
import { lateCallEntries } from './calls/nested-runs.js';
import { takePlannerTurn } from './turn/planner-turn.js';
import { recordedSteps } from './record/recorded-steps.js';
import { recallForRun, rememberRun } from './turn/run-memory-work.js';
import type { SessionFacts } from './record/session-facts.js';
import { eventEntry } from './record/session-record.js';
import {
  applyRecord,
  createSessionState,
  type CallState,
  type SessionState,
} from './record/session-state.js';
import { SystemCalls } from './calls/system-calls.js';
import { eachFromStore, fromStore } from './journal/store-failure.js';
import type { ThreadLog } from './journal/thread-log.js';

/** What a `RunSession` needs. */
export interface RunSessionParts {
  readonly store: RunStore;
  readonly threads: ThreadLog;
  readonly planner: Planner;
  readonly toolbox: SystemToolbox;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly limits: { readonly maxEvents: number; readonly maxRejectedSteps: number };
  readonly textIntervalMs: number;
}

/** Why a run's loop ended: the run ended, another owner has it, or it was stopped here. */
export type RunLoopEnd = 'ended' | 'lost' | 'stopped';

/**
 * Works on one run until it ends: reads its journal, decides, writes, and reads again. All its state comes from the
 * journal, so it can be stopped at any point and continued in another process.
 */
export class RunSession {
  readonly #record: RunRecord;
  readonly #facts: SessionFacts;
  readonly #telemetry: RunTelemetry;
  readonly #parts: RunSessionParts;
  readonly #state: SessionState;
  readonly #writer: JournalWriter;
  readonly #systemCalls: SystemCalls;
  readonly #stop = new AbortController();
  readonly #takenOverAtMs: number | undefined;
  #lost = false;
  #advancing = false;
  #again = false;
  #planning: AbortController | undefined;
  #cancelWake: (() => void) | undefined;
  #failure: unknown;

  constructor(
    record: RunRecord,
    { facts, telemetry, parts }: { facts: SessionFacts; telemetry: RunTelemetry; parts: RunSessionParts },
  ) {
    this.#record = record;
    this.#state = createSessionState(record.sessionId);
    this.#facts = facts;
    this.#telemetry = telemetry;
    this.#parts = parts;
    const { store, clock, toolbox } = parts;
    this.#takenOverAtMs = record.epoch > 1 ? clock.nowMs() : undefined;
    const onFailure = (error: unknown) => this.#fail(error);
    const onLost = () => this.#lose();
    const readSeq = () => this.#state.lastSeq;
    this.#writer = new JournalWriter({ store, clock, record, readSeq, onLost, onFailure });
    const context = () => this.#context();
    this.#systemCalls = new SystemCalls({ facts, toolbox, writer: this.#writer, clock, context, onFailure });
  }

  /** What has been read of the journal. Read-only for callers. */
  get state(): SessionState {
    return this.#state;
  }

  /**
   * Resolves when the loop ends. Rejects with a StoreFailure or with the run's own fault; the journal then has the
   * run's state.
   */
  async run(): Promise<RunLoopEnd> {
    const { store } = this.#parts;
    const { sessionId } = this.#record;
    try {
      await this.#advance();
      const journal = store.follow(sessionId, { afterSeq: 0, signal: this.#stop.signal });
      for await (const batch of eachFromStore(journal)) {
        for (const record of batch) this.#read(record);
        await this.#advance();
      }
    } finally {
      this.#cancelWake?.();
      this.#abortWork();
      if (!this.#state.final) this.#telemetry.left();
    }
    if (this.#state.final) return 'ended';
    if (this.#failure !== undefined) throw this.#failure;
    return this.#lost ? 'lost' : 'stopped';
  }

  /** Ends the loop, not the run. */
  stop(): void {
    this.#stop.abort();
  }

  #read(record: JournalRecord): void {
    const changed = applyRecord(this.#state, record);
    const isEarlier = record.seq <= this.#record.lastSeq;
    // The run was open when this process received it.
    if (isEarlier && this.#state.final) throw runUnreadable(this.#record.sessionId);
    // What happened before this process took the run over has already been reported.
    if (changed?.kind !== 'outcome' || isEarlier) return;
    const call = this.#state.calls.get(changed.data.call_id);
    if (call) this.#telemetry.callEnded(call);
  }

  /** One decision at a time; a call in between adds one more round. */
  async #advance(): Promise<void> {
    this.#again = true;
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      while (this.#again && !this.#stop.signal.aborted) {
        this.#again = false;
        if (this.#state.lastSeq >= this.#writer.expectedSeq) await this.#act(this.#decide());
      }
    } finally {
      this.#advancing = false;
    }
  }

  #decide(): Decision {
    const { clock, newId, limits } = this.#parts;
    const takenOverAtMs = this.#takenOverAtMs;
    return decide({
      state: this.#state,
      facts: this.#facts,
      nowMs: clock.nowMs(),
      takenOverAtMs,
      newId,
      limits,
    });
  }

  async #act(decision: Decision): Promise<void> {
    if (decision.end) await this.#end(decision.end);
    else if (decision.entries) await this.#write(decision.entries, decision.status);
    else if (decision.late) await this.#settleLate(decision.late);
    else if (decision.recall) this.#work((signal) => this.#recall(signal));
    else if (decision.plan) this.#work((signal) => this.#takeTurn(signal));
    this.#telemetry.inside(() => this.#systemCalls.start(decision.system ?? []));
    this.#wakeAt(decision.wakeAtMs);
  }

  async #settleLate(calls: readonly CallState[]): Promise<void> {
    const { store, clock } = this.#parts;
    const entries = lateCallEntries(calls, { store, facts: this.#facts, nowMs: clock.nowMs() });
    await this.#write(await fromStore(entries));
  }

  /**
   * Writes what was decided. A duplicate was written by somebody else and will be read; if there is nothing more to read,
   * the journal has lost it, and the run would wait for it forever.
   * @throws RunStoreError `RUN_UNREADABLE`
   */
  async #write(entries: readonly JournalEntry[], status?: RunStatus): Promise<void> {
    const { sessionId } = this.#record;
    const readSeq = this.#state.lastSeq;
    if ((await this.#writer.write(entries, { status })) !== 'duplicate') return;
    const run = await fromStore(this.#parts.store.readRun(sessionId));
    if (run && run.lastSeq <= readSeq) throw runUnreadable(sessionId);
  }

  #wakeAt(timeMs: number | undefined): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (timeMs === undefined) return;
    const { clock } = this.#parts;
    this.#cancelWake = clock.after(timeMs - clock.nowMs(), () => this.#inBackground(this.#advance()));
  }

  /** Runs one background task, a recall or a turn, at a time. */
  #work(work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#planning) return;
    this.#planning = new AbortController();
    this.#inBackground(work(this.#planning.signal));
  }

  async #recall(signal: AbortSignal): Promise<void> {
    await recallForRun({ memory: this.#parts.memory, facts: this.#facts, writer: this.#writer }, signal);
    if (signal.aborted) return;
    this.#planning = undefined;
    await this.#advance();
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    const ending = await takePlannerTurn({
      ...this.#parts,
      state: this.#state,
      facts: this.#facts,
      context: this.#context(),
      writer: this.#writer,
      telemetry: this.#telemetry,
      signal,
    });
    if (signal.aborted) return;
    if (ending) await this.#end(ending);
    this.#planning = undefined;
    await this.#advance();
  }

  async #end(ending: RunEnding): Promise<void> {
    this.#abortWork();
    const payload = finalPayload({
      state: this.#state,
      facts: this.#facts,
      context: this.#context(),
      ending,
      nowMs: this.#parts.clock.nowMs(),
    });
    if (ending.status === 'completed') await this.#rememberTurn();
    const { memory } = this.#parts;
    await rememberRun({ memory, facts: this.#facts, writer: this.#writer, state: this.#state }, ending);
    const phase = { phase: 'finalizing', message: 'Finishing', key: 'phase:finalizing' };
    const entries = [phaseEntry(this.#facts, phase), eventEntry('final', payload, { key: 'final' })];
    const outcome = await this.#writer.writeOwn(entries, { status: ending.status, ends: true });
    if (outcome === 'appended') this.#telemetry.ended(ending);
  }

  /** Runs before the run's end is written: after a crash in between, the same turn is written again. */
  async #rememberTurn(): Promise<void> {
    const { projectId, threadId, sessionId } = this.#record;
    if (threadId === undefined || this.#facts.plan.constraints.invocation) return;
    const { messages, turn_start } = this.#facts.plan;
    const userMessages = messages.slice(turn_start).filter(({ role }) => role === 'user');
    const answer = spokenTexts(this.#state).at(-1);
    const turn = [
      ...userMessages.map(({ content }) => ({ role: 'user' as const, content })),
      ...(answer === undefined ? [] : [{ role: 'assistant' as const, content: answer }]),
    ];
    await fromStore(this.#parts.threads.write({ projectId, threadId, sessionId, messages: turn }));
  }

  #context(): PlanContext {
    const now = new Date(this.#parts.clock.nowMs()).toISOString();
    const { memory = [] } = this.#state;
    const recalled = memory.length > 0 ? { memory } : {};
    return { ...this.#facts.plan, ...recalled, steps: recordedSteps(this.#state), now };
  }

  #abortWork(): void {
    this.#planning?.abort(new Error('The run is over.'));
    this.#systemCalls.abort();
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#fail(error));
  }

  #lose(): void {
    this.#lost = true;
    this.stop();
  }

  /** Ends the loop after a failure that nobody awaits. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
  }
}
