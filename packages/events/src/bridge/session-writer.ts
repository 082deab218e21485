import type { JsonValue } from '@svc/contracts';
import type { EntryKind } from '../log/entry-kind.js';
import type { EventLog, OpenedSession } from '../log/event-log.js';
import type { Logger } from '../logger.js';
import type { Effect } from '../pipeline/effect.js';
import type { Accepted } from '../pipeline/run-pipeline.js';
import { TurnState } from '../pipeline/turn-state.js';

/** A session that this process writes. */
export interface WrittenSession {
  readonly epoch: string;
  readonly state: TurnState;
  headSeq: number;
  /** The newest entry that the log said it holds; those up to `headSeq` are on their way. */
  storedSeq: number;
  oldestSeq: number;
  turnSeq: number;
  headKind: EntryKind | undefined;
  /** The log has refused an entry, so it is not as it says here. */
  isLost?: true;
}

/** What the log may keep of effects; undefined when there is nothing to keep. */
export type KeepEffects = (effects: readonly Effect[]) => JsonValue | undefined;

/** What a writer needs. */
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

  /** The session as it stands after the last write; undefined before the first one and after a failure. */
  get session(): WrittenSession | undefined {
    return this.#session;
  }

  /** The token this process was given last; undefined before the first write and while it takes the session over. */
  get epoch(): string | undefined {
    return this.#lastEpoch;
  }

  /** Whether this process has opened the session, or is opening it. */
  get isUsed(): boolean {
    return this.#opening !== undefined || this.#lastEpoch !== undefined;
  }

  /** Whether it is open, or being opened: not before the first write, nor after a failure. */
  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /** Whether a write would start within this very call. */
  get isReady(): boolean {
    return this.#session !== undefined && this.#queued === 0 && !this.#isWriting;
  }

  /** Runs a write once the session is open, after the writes before it. Writes start in the order of these calls. */
  run(write: (session: WrittenSession) => Promise<void>): Promise<void> {
    if (this.#session !== undefined && this.isReady) return this.#begin(this.#session, write);
    this.#opening ??= this.#open();
    return this.#runAfter(this.#opening, write);
  }

  /** The same, but takes the session over first when somebody else writes it by now. */
  takeOver(write: (session: WrittenSession) => Promise<void>): Promise<void> {
    const before = this.#session === undefined ? this.#opening : undefined;
    // What waits for a session that is being opened goes first, and is refused if it comes too late.
    const takeNow = () => this.#openAnew();
    this.#opening = before === undefined ? takeNow() : before.then(takeNow, takeNow);
    return this.#runAfter(this.#opening, write);
  }

  /** Appends an entry. The state is changed at once; if the log refuses, it is rebuilt before the next write. */
  append(session: WrittenSession, entry: Accepted, keep: KeepEffects): Promise<void> {
    const { log, sessionId } = this.#options;
    const { kind, frames, safeFrames, effects } = entry;
    const note = keep(effects);
    const seq = session.headSeq + 1;
    session.headSeq = seq;
    session.headKind = kind;
    if (kind === 'turn_start') session.turnSeq = seq;
    if (effects.length > 0) session.state.apply(effects);
    const appended = log.append({ sessionId, seq, kind, frames, safeFrames, note }, session);
    this.#trim(session, keep);
    return appended.then(
      () => {
        session.storedSeq = seq;
      },
      (error: unknown) => {
        this.#forget(session);
        throw error;
      },
    );
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

  /** What a payload that is read, or a logger, asks of the bridge meanwhile is a write after this one. */
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

  /** The session that was held if this process still writes it, else a new one. */
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

  /** Trims in strides, so that a checkpoint is written for many events at once. */
  #trim(session: WrittenSession, keep: KeepEffects): void {
    const { log, sessionId, maxHistory, logger } = this.#options;
    if (session.headSeq - session.oldestSeq < maxHistory + this.#slack) return;
    const throughSeq = session.headSeq - maxHistory;
    session.oldestSeq = throughSeq + 1;
    const effects = keep(session.state.snapshot()) ?? [];
    const checkpoint = { seq: session.headSeq, effects };
    log.trim(sessionId, { throughSeq, epoch: session.epoch, checkpoint }).catch((error: unknown) => {
      logger.warn(`Could not trim session '${sessionId}', will retry: ${String(error)}`);
    });
  }
}

/** The state that the events held, and those dropped before them, have built. */
function rebuiltState({ checkpoint, notes }: OpenedSession): TurnState {
  const state = new TurnState();
  const from = checkpoint as unknown as Checkpoint | undefined;
  state.apply(from?.effects ?? []);
  for (const { seq, note } of notes) {
    if (seq > (from?.seq ?? 0)) state.apply(note as unknown as readonly Effect[]);
  }
  return state;
}
