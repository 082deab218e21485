import type { JsonValue } from '@svc/contracts';
import { callable, readOptions, wholeFrom } from '../check-option.js';
import { LogClosedError, LogGapError, StaleEpochError } from '../errors.js';
import { createEpoch } from './epoch.js';
import { epochAt, mayBecomeWriter, withEpoch } from './epoch-list.js';
import type {
  EpochStart,
  EventLog,
  LogEvent,
  OpenedSession,
  ReadFrom,
  SessionStatus,
  TrimTo,
  WriterToken,
} from './event-log.js';
import { FrameSegments } from './frame-segments.js';
import { createLogPage } from './log-page.js';
import type { LogPage } from './log-page.js';
import { SegmentFollower } from './segment-follower.js';

/** The options of a {@link MemoryEventLog}. */
export interface MemoryEventLogOptions {
  /** The maximum bytes of frames stored per session (except a single longer event); oldest go first. @default 64 MiB */
  maxBytesPerSession?: number | undefined;
  /**
   * The bytes of all sessions together. Beyond it, sessions between turns without a reader are forgotten, the one opened
   * longest ago first; the others stay even then. @default 512 MiB
   */
  maxBytes?: number | undefined;
  /** The maximum number of sessions. The one opened longest ago goes first, of those between turns if any. @default 10_000 */
  maxSessions?: number | undefined;
  /** Creates the token of a new writer, 1 to 32 digits and lower-case letters. @default createEpoch */
  createEpoch?: (() => string) | undefined;
}

interface MemorySession {
  readonly segments: FrameSegments;
  epochs: readonly EpochStart[];
  readonly followers: Set<SegmentFollower>;
  turnSeq: number;
  checkpoint: JsonValue | undefined;
}

/** The embedded event log: bounded, in the memory of this process, lost when it ends. */
export class MemoryEventLog implements EventLog, AsyncDisposable {
  readonly #sessions = new Map<string, MemorySession>();
  readonly #options: Required<MemoryEventLogOptions>;
  #heldBytes = 0;
  #isClosed = false;

  /** @throws RangeError or TypeError naming the invalid option. */
  constructor(options: MemoryEventLogOptions = {}) {
    const {
      maxBytesPerSession = 64 * 1024 * 1024,
      maxBytes = 512 * 1024 * 1024,
      maxSessions = 10_000,
      createEpoch: makeEpoch = createEpoch,
    } = readOptions('MemoryEventLog', options, {
      maxBytesPerSession: true,
      maxBytes: true,
      maxSessions: true,
      createEpoch: true,
    });
    this.#options = {
      maxBytesPerSession: wholeFrom(1, 'maxBytesPerSession', maxBytesPerSession),
      maxBytes: wholeFrom(1, 'maxBytes', maxBytes),
      maxSessions: wholeFrom(1, 'maxSessions', maxSessions),
      createEpoch: callable('createEpoch', makeEpoch),
    };
  }

  async open(sessionId: string, writer?: WriterToken): Promise<OpenedSession> {
    this.#assertOpen();
    const epoch = this.#options.createEpoch();
    // Event ids begin with it; a cursor with any other token could not be parsed.
    if (!/^[0-9a-z]{1,32}$/.test(epoch))
      throw new TypeError('createEpoch must return 1 to 32 digits and lower-case letters');
    const session = this.#sessions.get(sessionId) ?? this.#create(sessionId);
    if (!mayBecomeWriter(session.epochs, writer)) throw new StaleEpochError(sessionId);
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    session.epochs = withEpoch(session.epochs, { epoch, fromSeq: session.segments.headSeq + 1 });
    return {
      ...statusOf(session),
      epoch,
      notes: session.segments.notes(),
      checkpoint: session.checkpoint,
    };
  }

  async inspect(sessionId: string): Promise<SessionStatus | undefined> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    return session === undefined || session.epochs.length === 0 ? undefined : statusOf(session);
  }

  async append(event: LogEvent, { epoch }: WriterToken): Promise<void> {
    this.#assertOpen();
    const session = this.#sessions.get(event.sessionId);
    if (session === undefined || session.epochs.at(-1)?.epoch !== epoch)
      throw new StaleEpochError(event.sessionId);
    const { headSeq } = session.segments;
    if (event.seq <= headSeq && epochAt(session.epochs, event.seq) === epoch) return;
    if (event.seq !== headSeq + 1) throw new LogGapError(event.sessionId, { seq: event.seq, headSeq });
    const before = session.segments.heldBytes;
    session.segments.append(event);
    this.#heldBytes += session.segments.heldBytes - before;
    if (session.segments.heldBytes > before) this.#makeRoom(session);
    if (event.kind === 'turn_start') session.turnSeq = event.seq;
    for (const follower of session.followers) follower.wake();
  }

  async readAfter(sessionId: string, { afterSeq }: ReadFrom): Promise<LogPage> {
    this.#assertOpen();
    const segments = this.#sessions.get(sessionId)?.segments;
    return segments?.readAfter(afterSeq) ?? createLogPage([], afterSeq + 1);
  }

  follow(
    sessionId: string,
    { afterSeq, signal }: ReadFrom & { readonly signal?: AbortSignal },
  ): AsyncIterable<LogPage> {
    return {
      [Symbol.asyncIterator]: () => {
        if (this.#isClosed) return nothing();
        const session = this.#sessions.get(sessionId) ?? this.#create(sessionId);
        const { segments, followers: group } = session;
        const onEnd = () => this.#forgetUnwritten(sessionId, session);
        return new SegmentFollower({ segments, afterSeq, signal, group, onEnd });
      },
    };
  }

  async trim(sessionId: string, { throughSeq, checkpoint, epoch }: TrimTo): Promise<void> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.epochs.at(-1)?.epoch !== epoch) return;
    const before = session.segments.heldBytes;
    session.segments.trim(throughSeq);
    this.#heldBytes += session.segments.heldBytes - before;
    session.checkpoint = checkpoint;
  }

  async remove(sessionId: string): Promise<void> {
    this.#remove(sessionId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const sessionId of this.#sessions.keys()) this.#remove(sessionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new LogClosedError();
  }

  #create(sessionId: string): MemorySession {
    if (this.#sessions.size >= this.#options.maxSessions) this.#remove(this.#leastNeeded());
    const session: MemorySession = {
      segments: new FrameSegments({ maxBytes: this.#options.maxBytesPerSession }),
      epochs: [],
      followers: new Set(),
      turnSeq: 0,
      checkpoint: undefined,
    };
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Forgets sessions that nobody needs now, for the one that has grown. */
  #makeRoom(grown: MemorySession): void {
    if (this.#heldBytes <= this.#options.maxBytes) return;
    for (const [sessionId, session] of this.#sessions) {
      if (session === grown || !isBetweenTurns(session) || session.followers.size > 0) continue;
      this.#remove(sessionId);
      if (this.#heldBytes <= this.#options.maxBytes) return;
    }
  }

  #leastNeeded(): string {
    let oldest = '';
    for (const [sessionId, session] of this.#sessions) {
      if (isBetweenTurns(session)) return sessionId;
      oldest ||= sessionId;
    }
    return oldest;
  }

  /** Forgets a session that was only followed, once nobody follows it any more. */
  #forgetUnwritten(sessionId: string, session: MemorySession): void {
    const isUnwritten = session.epochs.length === 0 && session.followers.size === 0;
    if (isUnwritten && this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId);
  }

  #remove(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    this.#heldBytes -= session?.segments.heldBytes ?? 0;
    for (const follower of session?.followers ?? []) follower.end();
  }
}

function isBetweenTurns({ segments: { headKind, headSeq }, epochs }: MemorySession): boolean {
  // A writer that has written nothing yet is about to begin a turn.
  const isOpening = (epochs.at(-1)?.fromSeq ?? 0) > headSeq;
  return !isOpening && (headKind === 'turn_end' || headKind === 'session_end');
}

async function* nothing(): AsyncGenerator<LogPage> {}

function statusOf({ segments, epochs, turnSeq }: MemorySession): SessionStatus {
  const { oldestSeq, headSeq, headKind } = segments;
  return { epochs, oldestSeq, headSeq, turnSeq, headKind };
}
