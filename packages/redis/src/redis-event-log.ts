import { LogClosedError, StaleEpochError, createEpoch as newEpoch } from '@svc/events';
import type {
  EntryNote,
  EventLog,
  LogEvent,
  LogPage,
  OpenedSession,
  ReadFrom,
  SessionStatus,
  TrimTo,
  WriterToken,
} from '@svc/events';
import type { JsonValue } from '@svc/contracts';
import { sessionMalformed } from './errors.js';
import { DEFAULT_PREFIX, type SessionKeys, sessionKeys } from './keys.js';
import { AppendQueue } from './log/append-queue.js';
import { LogFollower, type SessionRead } from './log/log-follower.js';
import {
  appendScript,
  notesScript,
  openScript,
  readScript,
  removeScript,
  statusScript,
  trimScript,
} from './log/log-scripts.js';
import { pageOfEntries } from './log/page-codec.js';
import { decodeStatus } from './log/session-status.js';
import { checkOptions, wholeFrom } from './options.js';
import type { RedisClient } from './redis-client.js';
import type { StreamEntry } from './stream-entry.js';
import { Subscriptions } from './subscriptions.js';

/** Options of {@link redisEventLog}. */
export interface RedisEventLogOptions {
  /** An ioredis client. It is never closed; a duplicate of it listens for new events. */
  client: RedisClient;
  /** The prefix of all keys. @default 'svc:' */
  prefix?: string | undefined;
  /** The minimum time to keep a session after its last event, in milliseconds. @default 604_800_000 (7 days) */
  expireAfterMs?: number | undefined;
  /**
   * The approximate maximum number of events kept per session if nothing trims it; a bridge trims to its `maxHistory`.
   * @default 100_000
   */
  maxEventsPerSession?: number | undefined;
  /** Creates the token of a new writer: 1 to 32 digits and lower-case letters. @default `createEpoch` of `@svc/events` */
  createEpoch?: (() => string) | undefined;
}

const ENTRIES_PER_PAGE = 200;

class RedisEventLog implements EventLog, AsyncDisposable {
  readonly #client: RedisClient;
  readonly #keysOf: (sessionId: string) => SessionKeys;
  readonly #expiryMs: number;
  readonly #maxEvents: number;
  readonly #createEpoch: () => string;
  readonly #subscriptions: Subscriptions;
  readonly #followers = new Set<LogFollower>();
  readonly #queues = new Map<string, AppendQueue>();
  #isClosed = false;

  constructor(options: RedisEventLogOptions) {
    checkOptions(options, 'redisEventLog', ['expireAfterMs', 'maxEventsPerSession', 'createEpoch']);
    this.#client = options.client;
    this.#keysOf = sessionKeys(options.prefix ?? DEFAULT_PREFIX, options.client.options);
    const expireAfterMs = wholeFrom(1, 'expireAfterMs', options.expireAfterMs ?? 7 * 24 * 60 * 60_000);
    // An append extends the expiry only once a seventeenth of it has passed; the extra sixteenth makes up for that.
    this.#expiryMs = Math.ceil((expireAfterMs * 17) / 16);
    this.#maxEvents = wholeFrom(1, 'maxEventsPerSession', options.maxEventsPerSession ?? 100_000);
    this.#createEpoch = options.createEpoch ?? newEpoch;
    if (typeof this.#createEpoch !== 'function') throw new TypeError('createEpoch must be a function');
    this.#subscriptions = new Subscriptions(options.client);
  }

  async open(sessionId: string, writer?: WriterToken): Promise<OpenedSession> {
    this.#assertOpen();
    // A writer refused because its queue is full would otherwise make its own queued entries stale.
    if (writer !== undefined) this.#queues.get(queueName(sessionId, writer.epoch))?.assertRoom();
    const { state, stream, channel } = this.#keysOf(sessionId);
    const epoch = this.#createEpoch();
    // Event ids begin with the epoch; a cursor with any other characters cannot be parsed.
    if (!/^[0-9a-z]{1,32}$/.test(epoch))
      throw new TypeError('createEpoch must return 1 to 32 digits and lower-case letters');
    const values = [epoch, Date.now(), this.#expiryMs, channel, writer?.epoch ?? ''];
    const reply = await openScript.run(this.#client, { keys: [state, stream], values });
    if (reply === 'stale') throw new StaleEpochError(sessionId);
    const [fields, checkpoint] = reply as [unknown, string | null];
    const status = decodeStatus(sessionId, fields);
    if (status === undefined) throw new TypeError('the open script returned no session');
    return {
      ...status,
      epoch,
      notes: await this.#notes(sessionId, status),
      ...(checkpoint !== null && { checkpoint: readJson(sessionId, checkpoint) }),
    };
  }

  async inspect(sessionId: string): Promise<SessionStatus | undefined> {
    this.#assertOpen();
    const { state, stream } = this.#keysOf(sessionId);
    return decodeStatus(sessionId, await statusScript.run(this.#client, { keys: [state, stream] }));
  }

  async append(event: LogEvent, { epoch }: WriterToken): Promise<void> {
    this.#assertOpen();
    return this.#queueOf(event.sessionId, epoch).append(event);
  }

  async readAfter(sessionId: string, { afterSeq }: ReadFrom): Promise<LogPage> {
    this.#assertOpen();
    return (await this.#read(sessionId, afterSeq)).page;
  }

  follow(
    sessionId: string,
    { afterSeq, signal }: ReadFrom & { readonly signal?: AbortSignal },
  ): AsyncIterable<LogPage> {
    return {
      [Symbol.asyncIterator]: () =>
        new LogFollower({
          channel: this.#keysOf(sessionId).channel,
          subscriptions: this.#subscriptions,
          read: (after) => this.#read(sessionId, after),
          afterSeq,
          signal: this.#isClosed ? AbortSignal.abort() : signal,
          group: this.#followers,
        }),
    };
  }

  async trim(sessionId: string, { throughSeq, checkpoint, epoch }: TrimTo): Promise<void> {
    this.#assertOpen();
    const { state, stream } = this.#keysOf(sessionId);
    await this.#queues.get(queueName(sessionId, epoch))?.drained();
    const values = [epoch, throughSeq + 1, JSON.stringify(checkpoint)];
    await trimScript.run(this.#client, { keys: [state, stream], values });
  }

  async remove(sessionId: string): Promise<void> {
    this.#assertOpen();
    const { state, stream, channel } = this.#keysOf(sessionId);
    await removeScript.run(this.#client, { keys: [state, stream], values: [channel] });
    // Other processes are notified; a follower here that has only just subscribed might miss the message.
    for (const follower of this.#followers) if (follower.channel === channel) follower.end();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.end();
    for (const queue of this.#queues.values()) queue.close();
    this.#subscriptions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new LogClosedError();
  }

  #queueOf(sessionId: string, epoch: string): AppendQueue {
    const name = queueName(sessionId, epoch);
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const { state, stream, channel } = this.#keysOf(sessionId);
    const keys = [state, stream];
    const settings = [this.#expiryMs, channel, this.#maxEvents];
    const queue = new AppendQueue(
      (entries) =>
        appendScript.run(this.#client, { keys, values: [epoch, Date.now(), ...settings, ...entries] }),
      () => this.#queues.delete(name),
    );
    this.#queues.set(name, queue);
    return queue;
  }

  async #read(sessionId: string, afterSeq: number): Promise<SessionRead> {
    const { state, stream } = this.#keysOf(sessionId);
    const values = [afterSeq, ENTRIES_PER_PAGE];
    const reply = await readScript.runForBytes(this.#client, { keys: [state, stream], values });
    const [status, entries] = reply as [unknown, StreamEntry[]];
    return { status: decodeStatus(sessionId, status), page: pageOfEntries(entries, afterSeq + 1) };
  }

  /** Reads the notes of all stored entries. The caller is the only writer by now, so nobody else adds any. */
  async #notes(sessionId: string, { oldestSeq, headSeq }: SessionStatus): Promise<EntryNote[]> {
    const { stream } = this.#keysOf(sessionId);
    const notes: EntryNote[] = [];
    for (let afterSeq = oldestSeq - 1; afterSeq < headSeq;) {
      const reply = await notesScript.run(this.#client, {
        keys: [stream],
        values: [afterSeq, ENTRIES_PER_PAGE],
      });
      const [last = '', ...pairs] = reply as string[];
      if (last === '') break;
      for (let i = 0; i + 1 < pairs.length; i += 2) {
        notes.push({ seq: Number(pairs[i]), note: readJson(sessionId, pairs[i + 1] ?? 'null') });
      }
      afterSeq = Number(last);
    }
    return notes;
  }
}

/** @throws RedisError without a cause: the message of `JSON.parse` repeats parts of the data. */
function readJson(sessionId: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw sessionMalformed(sessionId);
  }
}

function queueName(sessionId: string, epoch: string): string {
  return `${epoch} ${sessionId}`;
}

/**
 * Creates an event log on Redis Streams (Redis 6.2 or newer) for bridges in many processes: any of them can take over a
 * session, and readers can follow it from all of them. The log listens for new events over one connection, however many
 * sessions are followed.
 *
 * An acknowledged append is as durable as Redis makes it: with `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction` nothing acknowledged is lost. With weaker settings, a loss shows as a new epoch, and
 * readers see a gap.
 *
 * @throws TypeError or RangeError naming the option that is unknown or invalid.
 * @example
 * const log = redisEventLog({ client: new Redis(process.env.REDIS_URL) });
 * const bridge = new EventBridge('session-1', { log });
 */
export function redisEventLog(options: RedisEventLogOptions): EventLog & AsyncDisposable {
  return new RedisEventLog(options);
}
