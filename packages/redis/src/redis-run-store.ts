import { randomUUID } from 'node:crypto';
import type {
  AppendOutcome,
  DocumentPlace,
  DocumentQuery,
  DocumentWrite,
  JournalAppend,
  JournalRecord,
  NewRun,
  RunClaim,
  RunQuery,
  RunRecord,
  RunStore,
  RunSummary,
  StoredDocument,
} from '@svc/contracts/orchestrator';
import { DEFAULT_PREFIX } from './keys.js';
import { checkOptions } from './options.js';
import type { RedisClient } from './redis-client.js';
import { ChannelSignal } from './runs/channel-signal.js';
import { storeClosed } from './runs/errors.js';
import { Lanes } from './runs/lanes.js';
import { RedisDocuments } from './runs/redis-documents.js';
import { RedisRuns } from './runs/redis-runs.js';
import { Subscriptions } from './subscriptions.js';

/** Options of {@link redisRunStore}. */
export interface RedisRunStoreOptions {
  /** An ioredis client. It is never closed; a duplicate of it listens for new records. */
  client: RedisClient;
  /** The prefix of all keys. @default 'svc:' */
  prefix?: string | undefined;
}

/** Small, because a record can be as large as a result. */
const RECORDS_PER_BATCH = 64;

class RedisRunStore implements RunStore, AsyncDisposable {
  readonly scope = 'cluster';
  readonly #runs: RedisRuns;
  readonly #documents: RedisDocuments;
  readonly #subscriptions: Subscriptions;
  readonly #signals = new Set<ChannelSignal>();
  #isClosed = false;

  constructor(options: RedisRunStoreOptions) {
    checkOptions(options, 'redisRunStore');
    const { client } = options;
    const base = `${options.prefix ?? DEFAULT_PREFIX}{runs}:`;
    const scriptBase = `${client.options.keyPrefix ?? ''}${base}`;
    const context = { client, base, scriptBase, lanes: new Lanes(randomUUID()) };
    this.#runs = new RedisRuns(context);
    this.#documents = new RedisDocuments(context);
    this.#subscriptions = new Subscriptions(client);
  }

  async createRun(run: NewRun): Promise<RunRecord> {
    return this.#open().create(run);
  }

  async readRun(sessionId: string): Promise<RunRecord | undefined> {
    return this.#open().read(sessionId);
  }

  async listRuns(query: RunQuery): Promise<RunSummary[]> {
    return this.#open().list(query);
  }

  async claimRun(sessionId: string, claim: RunClaim): Promise<RunRecord | undefined> {
    return this.#open().claim(sessionId, claim);
  }

  async renewLeases(claim: RunClaim): Promise<void> {
    await this.#open().renew(claim);
  }

  async releaseRun(sessionId: string, epoch: number): Promise<void> {
    await this.#open().release(sessionId, epoch);
  }

  async append(sessionId: string, append: JournalAppend): Promise<AppendOutcome> {
    return this.#open().append(sessionId, append);
  }

  async readJournal(sessionId: string, range: { afterSeq: number; limit: number }): Promise<JournalRecord[]> {
    return (await this.#open().readJournal(sessionId, range)).records;
  }

  async *follow(
    sessionId: string,
    { afterSeq, signal }: { afterSeq: number; signal?: AbortSignal },
  ): AsyncGenerator<JournalRecord[], void, undefined> {
    if (this.#isClosed || signal?.aborted) return;
    const news = new ChannelSignal(this.#subscriptions, this.#runs.channelOf(sessionId));
    const onAbort = () => news.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#signals.add(news);
    try {
      await news.after(0);
      for (let cursor = afterSeq; news.isOpen();) {
        const { version } = news;
        const range = { afterSeq: cursor, limit: RECORDS_PER_BATCH };
        const { records, isOver } = await this.#runs.readJournal(sessionId, range);
        const last = records.at(-1);
        if (!news.isOpen() || (last === undefined && isOver)) return;
        if (last === undefined) await news.after(version);
        else {
          cursor = last.seq;
          yield records;
        }
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#signals.delete(news);
      news.close();
    }
  }

  async putDocument(write: DocumentWrite): Promise<StoredDocument | undefined> {
    this.#open();
    return this.#documents.put(write);
  }

  async readDocument(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined> {
    this.#open();
    return this.#documents.read(place, nowMs);
  }

  async listDocuments(query: DocumentQuery): Promise<StoredDocument[]> {
    this.#open();
    return this.#documents.list(query);
  }

  async deleteDocument(place: DocumentPlace): Promise<boolean> {
    this.#open();
    return this.#documents.delete(place);
  }

  async increment(
    counter: string,
    by: number,
    time: { nowMs: number; expiresAtMs: number },
  ): Promise<number> {
    this.#open();
    return this.#documents.increment(counter, by, time);
  }

  async sweep({ endedBeforeMs, nowMs }: { endedBeforeMs: number; nowMs: number }): Promise<number> {
    const removed = await this.#open().sweep(endedBeforeMs);
    await this.#documents.sweep(nowMs);
    return removed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const news of this.#signals) news.close();
    this.#subscriptions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): RedisRuns {
    if (this.#isClosed) throw storeClosed();
    return this.#runs;
  }
}

/**
 * Creates a run store on Redis (6.2 or newer) for orchestrators in many processes: each run is leased to one of them, and
 * any of them can follow it. The store listens for new records over one connection, however many runs are followed.
 *
 * An acknowledged write is as durable as Redis makes it: with `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction` nothing acknowledged is lost.
 *
 * @throws TypeError naming the option that is unknown or invalid.
 * @example
 * createOrchestrator({ store: redisRunStore({ client: new Redis(process.env.REDIS_URL) }) });
 */
export function redisRunStore(options: RedisRunStoreOptions): RunStore & AsyncDisposable {
  return new RedisRunStore(options);
}
