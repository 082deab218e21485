import type {
  AppendOutcome,
  JournalAppend,
  JournalRecord,
  NewRun,
  RunClaim,
  RunQuery,
  RunRecord,
  RunSummary,
} from '@svc/contracts/orchestrator';
import type { RedisClient } from '../redis-client.js';
import type { StreamEntry } from '../stream-entry.js';
import { runExists, runFailure, runUnreadable, tooManyRuns } from './errors.js';
import type { Lanes } from './lanes.js';
import { decodeRecord, decodeRun, decodeSummary } from './run-codec.js';
import {
  appendScript,
  claimScript,
  createScript,
  listScript,
  readJournalScript,
  readRunScript,
  releaseScript,
  renewScript,
  sweepScript,
} from './run-scripts.js';

/** The context that the parts of a store share. */
export interface StoreContext {
  readonly client: RedisClient;
  /** The prefix of all keys of the store. */
  readonly base: string;
  /** The prefix inside scripts, where the client does not add its `keyPrefix`. */
  readonly scriptBase: string;
  readonly lanes: Lanes;
}

const RUNS_PER_SWEEP_STEP = 100;

/** Runs and their journals in Redis. */
export class RedisRuns {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  async create({ nowMs, leaseMs, maxOpenRuns, ...run }: NewRun): Promise<RunRecord> {
    const { client, scriptBase, lanes } = this.#context;
    const { sessionId, projectId, keyId, threadId, labels, request, owner } = run;
    const leaseUntilMs = nowMs + leaseMs;
    const given = [projectId, keyId, optional(threadId), JSON.stringify(labels), JSON.stringify(request)];
    const created = await lanes.run(sessionId, (step) =>
      createScript.run(client, {
        keys: [this.#run(sessionId)],
        values: [
          scriptBase,
          sessionId,
          lanes.writer,
          step,
          ...given,
          nowMs,
          owner,
          leaseUntilMs,
          maxOpenRuns ?? '',
        ],
      }),
    );
    if (created === 'taken') throw runExists(sessionId);
    if (maxOpenRuns !== undefined && created === 'too many') throw tooManyRuns(projectId, maxOpenRuns);
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs, leaseUntilMs };
    return { ...run, ...times, status: 'pending', epoch: 1, lastSeq: 0 };
  }

  async read(sessionId: string): Promise<RunRecord | undefined> {
    const reply = readRunScript.run(this.#context.client, { keys: [this.#run(sessionId)] });
    return decodeRun(sessionId, await ofRun(sessionId, reply));
  }

  async list(query: RunQuery): Promise<RunSummary[]> {
    const { client, base, scriptBase } = this.#context;
    const { projectId, ended, claimableBy, limit } = query;
    const filters = [
      optional(projectId),
      optional(ended === undefined ? undefined : ended ? 'yes' : 'no'),
      optional(claimableBy?.owner),
      claimableBy?.nowMs ?? 0,
    ];
    const runs: RunSummary[] = [];
    let before: readonly [time: string | number, id: string] | undefined = query.before && [
      query.before.createdAtMs,
      query.before.sessionId,
    ];
    for (;;) {
      const [time, id] = before ?? ['+inf', ''];
      const values = [scriptBase, limit - runs.length, time, id, ...filters];
      const reply = await listScript.run(client, { keys: [base + indexOf(query)], values });
      const [next, ...found] = reply as [[string, string] | null, ...[string, unknown, string][]];
      for (const [sessionId, fields, time] of found) {
        const run = decodeSummary(sessionId, fields, Number(time));
        if (run) runs.push(run);
      }
      if (next === null) return runs;
      before = next;
    }
  }

  async claim(sessionId: string, { owner, nowMs, leaseMs }: RunClaim): Promise<RunRecord | undefined> {
    const { client, scriptBase, lanes } = this.#context;
    const reply = await lanes.run(sessionId, (step) =>
      claimScript.run(client, {
        keys: [this.#run(sessionId)],
        values: [scriptBase, sessionId, lanes.writer, step, owner, nowMs, nowMs + leaseMs],
      }),
    );
    return decodeRun(sessionId, reply);
  }

  async renew({ owner, nowMs, leaseMs }: RunClaim): Promise<void> {
    const { client, base, scriptBase } = this.#context;
    await renewScript.run(client, { keys: [`${base}owner:${owner}`], values: [scriptBase, nowMs + leaseMs] });
  }

  async release(sessionId: string, epoch: number): Promise<void> {
    await releaseScript.run(this.#context.client, { keys: [this.#run(sessionId)], values: [epoch] });
  }

  async append(
    sessionId: string,
    { entries, nowMs, epoch, knownSeq = 0, status, ends }: JournalAppend,
  ): Promise<AppendOutcome> {
    const { client, scriptBase, lanes } = this.#context;
    const written = entries.flatMap(({ kind, data, key, slot }) => [
      kind,
      JSON.stringify(data),
      optional(key),
      optional(slot),
    ]);
    const state = [epoch ?? '', nowMs, status ?? '', ends ? '1' : ''];
    const reply = lanes.run(sessionId, (step) =>
      appendScript.run(client, {
        keys: [this.#run(sessionId)],
        values: [
          scriptBase,
          sessionId,
          lanes.writer,
          step,
          ...state,
          this.channelOf(sessionId),
          knownSeq,
          ...written,
        ],
      }),
    );
    return decodeOutcome(sessionId, (await ofRun(sessionId, reply)) as [string, string?]);
  }

  /** Reads the records after a number. `isOver` says that the run has ended, is missing, or has lost records before it. */
  async readJournal(
    sessionId: string,
    { afterSeq, limit }: { afterSeq: number; limit: number },
  ): Promise<{ records: JournalRecord[]; isOver: boolean }> {
    const { client, scriptBase } = this.#context;
    const keys = [this.#run(sessionId)];
    const reply = readJournalScript.runForBytes(client, {
      keys,
      values: [scriptBase, sessionId, afterSeq, limit],
    });
    const [state, entries] = (await ofRun(sessionId, reply)) as [number | string, StreamEntry[]];
    if (Number(state) === 3) throw runUnreadable(sessionId);
    return { records: entries.map((entry) => decodeRecord(sessionId, entry)), isOver: Number(state) !== 1 };
  }

  async sweep(endedBeforeMs: number): Promise<number> {
    const { client, base, scriptBase } = this.#context;
    const values = [scriptBase, endedBeforeMs, RUNS_PER_SWEEP_STEP];
    for (let removed = 0; ;) {
      const count = Number(await sweepScript.run(client, { keys: [`${base}ended`], values }));
      removed += count;
      if (count < RUNS_PER_SWEEP_STEP) return removed;
    }
  }

  /** The channel that announces new records of a run. */
  channelOf(sessionId: string): string {
    return `${this.#context.scriptBase}news:${sessionId}`;
  }

  #run(sessionId: string): string {
    return `${this.#context.base}run:${sessionId}`;
  }
}

/** The reply of a step on one run. @throws RunStoreError `RUN_UNREADABLE` if what is stored of the run refuses it */
async function ofRun(sessionId: string, reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    throw runFailure(sessionId, error);
  }
}

/** An absent string is empty, any other begins with `+`. */
function optional(value: string | undefined): string {
  return value === undefined ? '' : `+${value}`;
}

/** The smallest index that contains all runs of a query. */
function indexOf({ projectId, threadId, ended, claimableBy }: RunQuery): string {
  if (threadId !== undefined) return `thread:${threadId}`;
  const isOpen = ended === false || claimableBy !== undefined;
  if (isOpen) return projectId === undefined ? 'open' : `open:${projectId}`;
  return projectId === undefined ? 'all' : `project:${projectId}`;
}

/** @throws RunStoreError `RUN_UNREADABLE` */
function decodeOutcome(sessionId: string, [outcome, detail = '']: [string, string?]): AppendOutcome {
  if (outcome === 'unreadable') throw runUnreadable(sessionId);
  if (outcome === 'appended') return { outcome, lastSeq: Number(detail) };
  if (outcome === 'duplicate') return { outcome, key: detail };
  if (outcome === 'stale' || outcome === 'ended') return { outcome };
  return { outcome: 'missing' };
}
