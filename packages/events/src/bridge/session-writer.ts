import type { JsonValue } from '@svc/contracts';
import { isSdkError } from '@svc/contracts/sdk-error';
import { EventLogUnavailableError } from '../errors.js';
import type { EntryKind } from '../log/entry-kind.js';
import type { EventLog, OpenedSession, TrimTo } from '../log/event-log.js';
import type { Logger } from '../logger.js';
import type { Effect } from '../pipeline/effect.js';
import type { Accepted } from '../pipeline/run-pipeline.js';
import { readEffects } from '../pipeline/read-effects.js';
import { isRecord } from '../payloads/read-field.js';
import { TurnState } from '../pipeline/turn-state.js';

/** A session that this process writes to. */
export interface WrittenSession {
  readonly epoch: string;
  readonly state: TurnState;
  headSeq: number;
  /** The newest entry acknowledged by the log; those up to `headSeq` are in flight. */
  storedSeq: number;
  oldestSeq: number;
  turnSeq: number;
  headKind: EntryKind | undefined;
  /** The append of the newest entry, if this process wrote it. */
  newest?: Promise<void>;
  /** Set when the log refused an entry, so that this state is no longer right. */
  isLost?: true;
}

/** Returns what the log may store of effects; undefined if nothing. */
export type KeepEffects = (effects: readonly Effect[]) => JsonValue | undefined;

/** The options of a writer. */
export interface SessionWriterOptions {
  readonly log: EventLog;
  readonly sessionId: string;
  readonly maxHistory: number;
  readonly logger: Logger;
}

interface Checkpoint {
  readonly seq: number;
  readonly effects: readonly Effect[];
}

/**
 * The writing side of a session: opens it with the first write, keeps writes in order, rebuilds the turn's state from
 * the log after a failure, and trims the log.
 */
export class SessionWriter {
  readonly #options: SessionWriterOptions;
  readonly #slack: number;
  #session: WrittenSession | undefined;
  #lastEpoch: string | undefined;
  #opening: Promise<WrittenSession> | undefined;
  #queued = 0;
  #isWriting = false;

  constructor(options: SessionWriterOptions) {
    this.#options = options;
    this.#slack = Math.max(32, options.maxHistory >> 2);
  }

  /** The session after the last write; undefined before the first one and after a failure. */
  get session(): WrittenSession | undefined {
    return this.#session;
  }

  /** The latest token of this process; undefined before the first write and while it takes over from another writer. */
  get epoch(): string | undefined {
    return this.#lastEpoch;
  }

  /** Whether this process has ever opened the session, or is opening it. */
  get isUsed(): boolean {
    return this.#opening !== undefined || this.#lastEpoch !== undefined;
  }

  /** Whether it is open or being opened; false before the first write and after a failure. */
  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /** Whether a write would start synchronously. */
  get isReady(): boolean {
    return this.#session !== undefined && this.#queued === 0 && !this.#isWriting;
  }

  /** Runs a write once the session is open, after the writes before it. Writes start in the order of these calls. */
  run(write: (session: WrittenSession) => Promise<void>): Promise<void> {
    if (this.#session !== undefined && this.isReady) return this.#begin(this.#session, write);
    this.#opening ??= this.#open();
    return this.#runAfter(this.#opening, write);
  }

  /** Runs a write after taking over the session, if another process has become its writer. */
  takeOver(write: (session: WrittenSession) => Promise<void>): Promise<void> {
    const before = this.#session === undefined ? this.#opening : undefined;
    // Writes waiting for an opening under way go first; they fail if they are too late.
    const takeNow = () => this.#openAnew();
    this.#opening = before === undefined ? takeNow() : before.then(takeNow, takeNow);
    return this.#runAfter(this.#opening, write);
  }

  /** Appends an entry. The state changes at once; if the log refuses the entry, it is rebuilt before the next write. */
  append(session: WrittenSession, entry: Accepted, keep: KeepEffects): Promise<void> {
    const { log, sessionId } = this.#options;
    const { kind, frames, safeFrames, effects } = entry;
    const note = keep(effects);
    const seq = session.headSeq + 1;
    session.headSeq = seq;
    session.headKind = kind;
    if (kind === 'turn_start') session.turnSeq = seq;
    if (effects.length > 0) session.state.apply(effects);
    const event = { sessionId, seq, kind, frames, safeFrames, note };
    // Taken now, because the state changes with the next entry; used once the log has this one.
    const trim = this.#dueTrim(session, keep);
    session.newest = promiseOf(() => log.append(event, session)).then(
      () => {
        session.storedSeq = seq;
        if (trim !== undefined && !session.isLost) this.#trim(trim);
      },
      (error: unknown) => {
        this.#forget(session);
        throw error;
      },
    );
    return session.newest;
  }

  #runAfter(
    opening: Promise<WrittenSession>,
    write: (session: WrittenSession) => Promise<void>,
  ): Promise<void> {
    this.#queued += 1;
    return opening.then(
      (session) => {
        this.#queued -= 1;
        return this.#begin(this.#session ?? session, write);
      },
      (error: unknown) => {
        this.#queued -= 1;
        if (this.#opening === opening) this.#opening = undefined;
        throw error;
      },
    );
  }

  /** Calls that a payload's getters or a logger make to the bridge meanwhile are queued as later writes. */
  #begin(session: WrittenSession, write: (session: WrittenSession) => Promise<void>): Promise<void> {
    this.#isWriting = true;
    try {
      return write(session);
    } finally {
      this.#isWriting = false;
    }
  }

  #forget(session: WrittenSession): void {
    session.isLost = true;
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#opening = undefined;
  }

  /** Keeps the current session if this process is still its writer, else opens it again. */
  async #openAnew(): Promise<WrittenSession> {
    const { log, sessionId } = this.#options;
    const held = this.#session;
    this.#session = undefined;
    const status = held && (await log.inspect(sessionId));
    if (held === undefined || status?.epochs.at(-1)?.epoch !== held.epoch) this.#lastEpoch = undefined;
    else if (!held.isLost) return (this.#session = held);
    return this.#open();
  }

  async #open(): Promise<WrittenSession> {
    const { log, sessionId } = this.#options;
    const writer = this.#lastEpoch === undefined ? undefined : { epoch: this.#lastEpoch };
    const opened = await log.open(sessionId, writer);
    this.#lastEpoch = opened.epoch;
    this.#session = { ...opened, storedSeq: opened.headSeq, state: rebuiltState(opened) };
    return this.#session;
  }

  /** What to trim once the newest entry is stored. In steps, so that one checkpoint covers many events. */
  #dueTrim(session: WrittenSession, keep: KeepEffects): TrimTo | undefined {
    const { maxHistory } = this.#options;
    const { headSeq: seq, oldestSeq, state, epoch } = session;
    if (seq - oldestSeq < maxHistory + this.#slack) return undefined;
    const throughSeq = seq - maxHistory;
    session.oldestSeq = throughSeq + 1;
    const checkpoint = { seq, effects: keep(state.snapshot()) ?? [] };
    return { throughSeq, epoch, checkpoint };
  }

  #trim(to: TrimTo): void {
    const { log, sessionId, logger } = this.#options;
    promiseOf(() => log.trim(sessionId, to)).catch((error: unknown) => {
      // The bridge that has taken over trims now.
      if (isSdkError(error, 'EVENT_LOG_STALE_EPOCH')) return;
      logger.warn(`Could not trim session '${sessionId}', will retry: ${String(error)}`);
    });
  }
}

/** The promise of a log's method. A custom log may throw at once, when the state has already changed. */
function promiseOf(call: () => Promise<void>): Promise<void> {
  try {
    return call();
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Rebuilds the turn's state from the checkpoint of the dropped events and the notes of the stored ones.
 *
 * @throws EventLogUnavailableError if they are malformed
 */
function rebuiltState({ checkpoint, notes }: OpenedSession): TurnState {
  const state = new TurnState();
  try {
    const from = checkpoint == null ? undefined : readCheckpoint(checkpoint);
    state.apply(from?.effects ?? []);
    for (const { seq, note } of notes) {
      if (seq > (from?.seq ?? 0)) state.apply(readEffects(note));
    }
  } catch (error) {
    throw new EventLogUnavailableError('open the session', error);
  }
  return state;
}

/** @throws TypeError if it is malformed */
function readCheckpoint(stored: JsonValue): Checkpoint {
  const { seq, effects = null } = isRecord(stored) ? stored : {};
  if (typeof seq !== 'number')
    throw new TypeError('the checkpoint of the session is malformed. Repair or remove the session');
  return { seq, effects: readEffects(effects as JsonValue) };
}
