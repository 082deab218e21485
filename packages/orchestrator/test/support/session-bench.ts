import type { JsonObject } from '@svc/contracts';
import { SessionRequestSchema, type RunStore, type ToolErrorRecord } from '@svc/contracts/orchestrator';
import { onTestFinished } from 'vitest';
import { Memory } from '../../src/memory/memory.js';
import { silentLogger, type OrchestratorLogger } from '../../src/logger.js';
import { OrchestratorMetrics } from '../../src/observe/metrics.js';
import { Telemetry } from '../../src/observe/telemetry.js';
import type { Planner } from '../../src/planning/planner.js';
import { randomText } from '../../src/random-text.js';
import { acceptAnswer } from '../../src/sessions/calls/accept-answer.js';
import { acceptResult } from '../../src/sessions/calls/accept-result.js';
import { readSessionState } from '../../src/sessions/record/find-session.js';
import { decodeEvent } from '../../src/sessions/record/decode-record.js';
import { entryOf } from '../../src/sessions/record/session-record.js';
import { SessionManager } from '../../src/sessions/session-manager.js';
import { ThreadLog } from '../../src/sessions/journal/thread-log.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { ManualClock } from './manual-clock.js';

export interface BenchEvent {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read payloads of every shape
  payload: any;
}

interface BenchOptions {
  planner: Planner;
  store?: RunStore;
  clock?: ManualClock;
  owner?: string;
  runTimeoutMs?: number;
  maxEvents?: number;
  toolbox?: SystemToolbox;
  memory?: Memory;
  logger?: OrchestratorLogger;
  /** Whether its process ends within the test. Otherwise it is closed after the test. */
  isMortal?: boolean;
}

/** Runs sessions without HTTP, on a clock that the test advances. */
export class SessionBench {
  readonly store: RunStore;
  readonly clock: ManualClock;
  readonly manager: SessionManager;
  readonly memory: Memory;
  readonly errors: unknown[] = [];
  /** The ids of the runs that reported an error. */
  readonly failed: string[] = [];
  readonly metrics = new OrchestratorMetrics({
    activeSessions: (projectId) => this.manager.activeCount(projectId),
    openStreams: () => 0,
  });
  #number = 0;
  #sessions = 0;

  constructor({
    planner,
    store = new MemoryRunStore(),
    clock = new ManualClock(),
    ...options
  }: BenchOptions) {
    this.store = store;
    this.clock = clock;
    this.memory = options.memory ?? this.#openMemory();
    const threads = new ThreadLog(store, clock, { maxTurns: 3, retentionMs: 60_000 });
    this.manager = new SessionManager({
      owner: options.owner ?? 'bench',
      leaseMs: 15_000,
      runLimits: {
        maxCycles: 10,
        runTimeoutMs: options.runTimeoutMs ?? 3_600_000,
        toolTimeoutMs: 60_000,
        checkpointTtlMs: 600_000,
      },
      telemetry: new Telemetry({
        logger: options.logger ?? silentLogger,
        metrics: this.metrics,
        nowMs: () => clock.nowMs(),
      }),
      onError: (error, sessionId) => {
        this.errors.push(error);
        this.failed.push(sessionId ?? '');
      },
      parts: {
        store,
        threads,
        planner,
        toolbox: options.toolbox ?? new SystemToolbox([]),
        memory: this.memory,
        clock,
        newId: () => `id-${options.owner ?? ''}${(this.#number += 1)}`,
        limits: { maxEvents: options.maxEvents ?? 1000, maxRejectedSteps: 3 },
        textIntervalMs: 40,
      },
    });
    if (!options.isMortal) onTestFinished(() => this.manager.close());
  }

  #openMemory(): Memory {
    const memory = new Memory({
      path: ':memory:',
      clock: this.clock,
      randomText,
      limits: { recordsPerProject: 100, bytesPerProject: 1_000_000 },
      onError: (error) => this.errors.push(error),
    });
    onTestFinished(() => memory.close());
    return memory;
  }

  async start(
    request: object,
    run: { threadId?: string; projectId?: string; organization?: string; traceParent?: string } = {},
  ): Promise<string> {
    const sessionId = `sess_${(this.#sessions += 1)}`;
    const parsed = SessionRequestSchema.parse(request);
    await this.manager.start({ sessionId, projectId: 'p', keyId: 'k', labels: {}, ...run }, parsed);
    return sessionId;
  }

  async events(sessionId: string): Promise<BenchEvent[]> {
    const records = await this.store.readJournal(sessionId, { afterSeq: 0, limit: 10_000 });
    return records.flatMap((record) => decodeEvent(sessionId, record)?.data ?? []);
  }

  /** Resolves with the first event that fits. Throws when the run ends without one. */
  async until(sessionId: string, fits: (event: BenchEvent) => boolean): Promise<BenchEvent> {
    let last: BenchEvent | undefined;
    for await (const batch of this.store.follow(sessionId, { afterSeq: 0 })) {
      for (const record of batch) {
        const event = decodeEvent(sessionId, record);
        if (!event) continue;
        last = event.data;
        if (fits(last)) return last;
      }
    }
    throw new Error(`The run ended without that event; its last was ${JSON.stringify(last)}.`);
  }

  /** Resolves with the n-th call of a tool once it is sent. */
  async call(
    sessionId: string,
    tool: string,
    nth = 1,
  ): Promise<{ id: string; args: JsonObject; value: JsonObject }> {
    let seen = 0;
    const event = await this.until(sessionId, ({ name, payload }) => {
      if (name !== 'tool_event' || payload.value.tool_call.tool_name !== tool) return false;
      seen += 1;
      return seen === nth;
    });
    const { id, value } = event.payload;
    return { id, args: value.tool_call.args, value };
  }

  async final(sessionId: string): Promise<BenchEvent['payload']> {
    return (await this.until(sessionId, ({ name }) => name === 'final')).payload;
  }

  interrupt(sessionId: string, dataKey: string): Promise<BenchEvent['payload']> {
    const isIt = ({ name, payload }: BenchEvent) =>
      name === 'interrupt_required' && payload.data_key === dataKey;
    return this.until(sessionId, isIt).then(({ payload }) => payload);
  }

  post(sessionId: string, toolEventId: string, result: unknown) {
    return this.#accept(sessionId, { tool_event_id: toolEventId, status: 'ok', result });
  }

  postPlain(sessionId: string, toolEventId: string, result: unknown) {
    return this.#accept(sessionId, { tool_event_id: toolEventId, result });
  }

  postError(sessionId: string, toolEventId: string, error: ToolErrorRecord) {
    return this.#accept(sessionId, { tool_event_id: toolEventId, status: 'error', error });
  }

  async answer(checkpointId: string, data: Record<string, unknown>, argsDigest?: string): Promise<void> {
    const sessionId = checkpointId.split('.')[0] ?? '';
    const record = await this.store.readRun(sessionId);
    if (!record) throw new Error(`no run ${sessionId}`);
    const body = { interrupt_data: data, ...(argsDigest === undefined ? {} : { args_digest: argsDigest }) };
    await acceptAnswer(body, {
      store: this.store,
      record,
      checkpointId,
      nowMs: this.clock.nowMs(),
      clean: (value) => value,
    });
  }

  async cancel(sessionId: string, code = 'RUN_CANCELLED'): Promise<void> {
    const entries = [entryOf('cancel', { code, reason: 'enough' })];
    await this.store.append(sessionId, { entries, nowMs: this.clock.nowMs() });
  }

  #accept(sessionId: string, value: Parameters<typeof acceptResult>[0]) {
    const { store, clock } = this;
    const readState = () => readSessionState(store, sessionId);
    return acceptResult(value, { store, sessionId, nowMs: clock.nowMs(), readState });
  }
}
