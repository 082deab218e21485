import { isSdkError } from '@svc/contracts/sdk-error';
import { safeFrames } from '../pipeline/safe-frames.js';
import { PrivateValues } from '../audience/private-values.js';
import type { Room } from '../delivery/room.js';
import type { EntryKind } from '../log/entry-kind.js';
import { snapshotOf } from '../payloads/snapshot.js';
import type { Draft } from '../pipeline/draft.js';
import type { Effect } from '../pipeline/effect.js';
import { noteOf, runPipeline } from '../pipeline/run-pipeline.js';
import { timestampNow } from '../pipeline/timestamp.js';
import type { BridgeSettings } from './options.js';
import { SessionWriter } from './session-writer.js';
import type { WrittenSession } from './session-writer.js';
import { warnOfUnknownType } from './warn-of-unknown-type.js';

const done = Promise.resolve();

/** The most events that are emitted without a turn of the event loop while there are readers. */
const MOST_WITHOUT_TURN = 100;

/** Writes drafts to the log in order, and starts and ends turns. */
export class TurnWriter {
  readonly #sessionId: string;
  readonly #settings: BridgeSettings;
  readonly #room: Room;
  readonly #writer: SessionWriter;
  readonly #privateValues: PrivateValues | undefined;
  /** The number of events since the producer last waited for a turn of the event loop. */
  #sinceTurn = 0;
  /** The turn that events wait for; undefined if they need not. */
  #turn: Promise<void> | undefined;
  #isClosed = false;
  /** How often it was reopened: a close that a reopen has overtaken does not close it. */
  #reopened = 0;

  constructor(sessionId: string, settings: BridgeSettings, room: Room) {
    this.#sessionId = sessionId;
    this.#settings = settings;
    this.#room = room;
    this.#writer = new SessionWriter({ ...settings, sessionId });
    if (settings.privateValues) this.#privateValues = new PrivateValues(settings.privateValues);
  }

  /** The newest entry this process wrote or found; undefined before the first write. */
  get headSeq(): number | undefined {
    return this.#writer.session?.headSeq;
  }

  /** The newest entry known to be in the log; undefined before the first write. */
  get storedSeq(): number | undefined {
    return this.#writer.session?.storedSeq;
  }

  /** The token with which this process last wrote; undefined before the first write. */
  get epoch(): string | undefined {
    return this.#writer.epoch;
  }

  /** Whether events are refused until the next turn. */
  get isClosed(): boolean {
    const kind = this.#writer.session?.headKind;
    return this.#isClosed || kind === 'turn_end' || kind === 'session_end';
  }

  /** Resolves when the event is in the log (or was dropped as a repeat) and the readers have room. */
  emit(makeDraft: () => Draft): Promise<void> {
    try {
      const draft = makeDraft();
      const own = this.#writer.isReady ? draft : withOwnPayload(draft);
      return this.#writer.run((session) => this.#append(session, own));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Starts a turn. Takes over the session if another process wrote to it. */
  async reopen(): Promise<void> {
    this.#reopened += 1;
    this.#isClosed = false;
    await this.#writer.takeOver((session) => {
      // A close that was already under way has set it again.
      this.#isClosed = false;
      return session.headSeq > session.turnSeq ? this.#appendChange(session, 'turn_start', [['turn']]) : done;
    });
  }

  /** Refuses further events; ends the session unless it is kept or this process never wrote to it. */
  async close({ keepSession }: { keepSession: boolean }): Promise<void> {
    this.#room.release();
    const reopened = this.#reopened;
    try {
      // Keeping a session writes nothing, so it does not reopen a session after a failure.
      if (keepSession ? this.#writer.isOpen : this.#writer.isUsed) {
        await this.#writer.run((session) => this.#end(session, keepSession)).catch(ignoreStale);
      }
    } finally {
      if (this.#reopened === reopened) this.#isClosed = true;
      this.#privateValues?.release();
    }
  }

  #end(session: WrittenSession, keepSession: boolean): Promise<void> {
    this.#isClosed = true;
    if (keepSession) return done;
    // An end that is still on its way to the log has to get there.
    if (session.headKind === 'session_end') return session.newest ?? done;
    return this.#appendChange(session, 'session_end', []);
  }

  #append(session: WrittenSession, draft: Draft): Promise<void> {
    if (this.isClosed) {
      this.#refuse(draft, session);
      return done;
    }
    const matcher = this.#privateValues?.matcher();
    const { audience } = this.#settings;
    const position = { epoch: session.epoch, seq: session.headSeq + 1 };
    const context = { settings: this.#settings, state: session.state, matcher, position };
    const accepted = runPipeline(draft, context);
    if (accepted === undefined) return done;
    if (audience === 'frontend_safe') warnOfUnknownType(draft.type, this.#settings.logger);
    const appended = this.#writer.append(session, accepted, (effects) =>
      noteOf(effects, { audience, matcher }),
    );
    if (accepted.kind !== 'event') this.#privateValues?.release();
    return this.#withRoom(appended, accepted.kind, session.headSeq);
  }

  #withRoom(appended: Promise<void>, kind: EntryKind, seq: number): Promise<void> {
    const turn = kind === 'event' && this.#room.size > 0 ? this.#turnAfter(appended) : this.#turn;
    const { queueMaxsize, backpressure } = this.#settings;
    const isBounded = kind === 'event' && queueMaxsize > 0 && backpressure === 'block';
    if (turn === undefined && !isBounded) return appended;
    return appended.then(() => turn).then(() => (isBounded ? this.#roomAfter(seq) : undefined));
  }

  /**
   * The turn of the event loop that an event waits for, if it does. Without one, no reader could read what a busy producer
   * emits before the history is trimmed. Events wait for the same turn, so that they resolve in order.
   */
  #turnAfter(appended: Promise<void>): Promise<void> | undefined {
    this.#sinceTurn += 1;
    if (this.#sinceTurn >= Math.min(MOST_WITHOUT_TURN, this.#settings.maxHistory / 2)) {
      this.#sinceTurn = 0;
      const turn = appended.then(nextTurn, nextTurn).then(() => {
        if (this.#turn === turn) this.#turn = undefined;
      });
      this.#turn = turn;
    }
    return this.#turn;
  }

  #roomAfter(seq: number): Promise<void> | undefined {
    return this.#isClosed ? undefined : this.#room.wait(seq, this.#settings.queueMaxsize);
  }

  #appendChange(session: WrittenSession, kind: EntryKind, effects: readonly Effect[]): Promise<void> {
    const matcher = this.#privateValues?.matcher();
    const position = { epoch: session.epoch, seq: session.headSeq + 1 };
    const { held } = session.state;
    const safe = safeFrames({ draft: undefined, kind, position, timestamp: timestampNow(), matcher, held });
    const all = [...safe.effects, ...effects];
    const frames = safe.frames();
    const { audience } = this.#settings;
    const accepted =
      audience === 'internal'
        ? { kind, frames: '', safeFrames: frames || undefined, effects: all }
        : { kind, frames, safeFrames: undefined, effects: all };
    return this.#writer.append(session, accepted, (kept) => noteOf(kept, { audience, matcher }));
  }

  #refuse({ type }: Draft, { headKind }: WrittenSession): void {
    const ended = headKind === 'turn_end' ? 'the turn has ended' : 'the session has ended';
    const why = this.#isClosed ? 'the bridge is closed' : ended;
    this.#settings.logger.warn(
      `Dropping event '${type}' of session '${this.#sessionId}': ${why}. Call reopen() to start a new turn.`,
    );
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Copies the payload of an event that has to wait: the caller may change its objects meanwhile. */
function withOwnPayload(draft: Draft): Draft {
  try {
    return { ...draft, payload: snapshotOf(draft.payload) };
  } catch {
    // Data that throws when read cannot be serialized either; the pipeline reports that.
    return draft;
  }
}

/** A session that another process has taken over is not ended here. */
function ignoreStale(error: unknown): void {
  if (!isSdkError(error, 'EVENT_LOG_STALE_EPOCH')) throw error;
}
