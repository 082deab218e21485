import type { Audience } from '../audience/audience.js';
import { readerAudience } from '../audience/audience.js';
import { positiveMs, readOptions } from '../check-option.js';
import { isKnownId, startingPoint } from '../delivery/cursor.js';
import type { Gap } from '../delivery/cursor.js';
import { EventReader } from '../delivery/event-reader.js';
import { LiveBound } from '../delivery/live-bound.js';
import type { PageSource } from '../delivery/page-source.js';
import { ProjectedPages } from '../delivery/projected-pages.js';
import { RecentPages } from '../delivery/recent-pages.js';
import { Room } from '../delivery/room.js';
import { SafePages } from '../delivery/safe-pages.js';
import { SessionView } from '../delivery/session-view.js';
import { untilAborted } from '../until-aborted.js';
import type { BridgeSettings } from './options.js';

/** The options of a reader. */
export interface ReaderOptions {
  /**
   * The id of the last event the reader has seen. @default in `toResponse` the request's; else none: the reader gets all
   * stored events of this turn
   */
  lastEventId?: string | null | undefined;
  /** The reader's audience; it never gets more than the bridge's audience allows. @default the bridge's */
  audience?: Audience | undefined;
  /** Ends the reader. */
  signal?: AbortSignal | undefined;
}

const READER_OPTIONS: Record<keyof ReaderOptions, true> = {
  lastEventId: true,
  audience: true,
  signal: true,
};

/** The options of a stream of frames. */
export interface StreamOptions extends ReaderOptions {
  /** The idle time before a keep-alive is sent, in milliseconds. @default the bridge's */
  heartbeatIntervalMs?: number | undefined;
}

const STREAM_OPTIONS: Record<keyof StreamOptions, true> = { ...READER_OPTIONS, heartbeatIntervalMs: true };

/** Fills in the bridge's heartbeat. Opening the reader checks the other options. */
export function readStreamOptions(
  owner: string,
  options: StreamOptions,
  bridge: BridgeSettings,
): StreamOptions & { heartbeatIntervalMs: number } {
  const given = readOptions(owner, options, STREAM_OPTIONS);
  const { heartbeatIntervalMs = bridge.heartbeatIntervalMs } = given;
  return { ...given, heartbeatIntervalMs: positiveMs('heartbeatIntervalMs', heartbeatIntervalMs) };
}

/** The options of `bridge.waitForSubscriber()`. */
export interface WaitForReader {
  /** The longest time to wait, in milliseconds; 0 only checks now. */
  timeoutMs: number;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** Whether a bridge still serves its session. */
export interface ReleaseState {
  /** Settles when the close under way is over; undefined if there is none. */
  readonly closing: () => Promise<void> | undefined;
  /** Whether this process has released the session. */
  readonly isReleased: () => boolean;
  /** Whether the session has ended for every process. */
  readonly isClosed: () => boolean;
}

/** The readers of a session in this process. */
export class BridgeReaders {
  readonly room = new Room();
  readonly #sessionId: string;
  readonly #settings: BridgeSettings;
  readonly #ownEpoch: () => string | undefined;
  readonly #views = new Map<Audience, SessionView>();
  readonly #arrivals = new Set<() => void>();

  /** `ownEpoch` returns the token with which this process last wrote. */
  constructor(sessionId: string, settings: BridgeSettings, ownEpoch: () => string | undefined) {
    this.#sessionId = sessionId;
    this.#settings = settings;
    this.#ownEpoch = ownEpoch;
  }

  /** Attaches a reader. After a release it only gets what the log has; after a close it ends if there is no session. */
  async open(options: ReaderOptions, bridge: ReleaseState): Promise<EventReader> {
    const { lastEventId, audience: requested, signal } = readOptions('openReader', options, READER_OPTIONS);
    if (lastEventId != null && typeof lastEventId !== 'string')
      throw new TypeError(`lastEventId must be a string, got ${typeof lastEventId}`);
    const { log, maxHistory } = this.#settings;
    const audience = readerAudience(this.#settings.audience, requested);
    const closing = bridge.closing();
    // What was emitted before the close may not be in the log yet. Its failure is for whoever closed the bridge.
    if (closing) await untilAborted(Promise.allSettled([closing]), signal);
    const known = this.#view(audience);
    const { newestIds } = known.source;
    const status = await untilAborted(log.inspect(this.#sessionId), signal);
    // An aborted caller gets an ended reader; the status is then undefined only because nobody waited for it.
    const cursor = signal?.aborted ? undefined : (lastEventId ?? undefined);
    if (!signal?.aborted && !newestIds.every((id) => isKnownId(status, id))) this.#forget(audience, known);
    const start = startingPoint(status, cursor, maxHistory);
    if (start.gap) this.#report(start.gap);
    const headSeq = status?.headSeq ?? 0;
    const view = this.#view(audience);
    const reader = new EventReader({
      view,
      room: this.room,
      ...start,
      headSeq,
      epoch: status?.epochs.at(-1)?.epoch,
      bound: this.#bound(Math.max(headSeq, view.headSeq)),
      onDrop: (count) => this.#reportDrop(count),
    });
    this.#closeOnAbort(reader, signal);
    await untilAborted(reader.prime({ isOver: status?.headKind === 'session_end' }), signal);
    if (bridge.isReleased()) reader.onEnd({});
    if (bridge.isClosed() && status === undefined) reader.close();
    // A reader that has already ended does not count as an arrival.
    if (!reader.isEnded) for (const arrive of this.#arrivals) arrive();
    return reader;
  }

  /** Tells all readers that an entry is the last one. */
  end(headSeq: number | undefined): void {
    for (const view of this.#views.values()) view.end({ headSeq });
  }

  /** Resolves to whether a reader is attached: at once, when one arrives, at the timeout, or when the signal aborts. */
  async waitForOne(options: WaitForReader): Promise<boolean> {
    const known: Record<keyof WaitForReader, true> = { timeoutMs: true, signal: true };
    const { timeoutMs, signal } = readOptions('waitForSubscriber', options, known);
    if (timeoutMs !== 0) positiveMs('timeoutMs', timeoutMs);
    if (this.room.size > 0 || signal?.aborted) return this.room.size > 0;
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        this.#arrivals.delete(settle);
        resolve(this.room.size > 0);
      };
      const timer = setTimeout(settle, timeoutMs);
      signal?.addEventListener('abort', settle);
      this.#arrivals.add(settle);
    });
  }

  #view(audience: Audience): SessionView {
    const known = this.#views.get(audience);
    if (known !== undefined && !known.isOver) return known;
    const place = { log: this.#settings.log, sessionId: this.#sessionId };
    const view = new SessionView({ ...place, source: this.#source(audience) });
    this.#views.set(audience, view);
    return view;
  }

  /** Drops a view whose entries the log has lost. Its readers end, and get a `stream_gap` when they reconnect. */
  #forget(audience: Audience, view: SessionView): void {
    if (this.#views.get(audience) !== view) return;
    this.#views.delete(audience);
    view.end();
  }

  #source(audience: Audience): PageSource {
    const { log, maxHistory: maxEntries, audience: written } = this.#settings;
    const from = { log, sessionId: this.#sessionId, maxEntries };
    if (audience === 'internal') return new RecentPages(from);
    return written === 'internal'
      ? new ProjectedPages(from)
      : new SafePages({ ...from, ownEpoch: this.#ownEpoch });
  }

  #bound(replayTo: number): LiveBound | undefined {
    const { queueMaxsize, backpressure } = this.#settings;
    if (queueMaxsize === 0 || backpressure === 'block') return undefined;
    return new LiveBound({ maxWaiting: queueMaxsize, policy: backpressure, replayTo });
  }

  #closeOnAbort(reader: EventReader, signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    if (signal.aborted) reader.close();
    else reader.closeOn(signal);
  }

  #report({ reason, requestedId }: Gap): void {
    const { logger } = this.#settings;
    const message = `A reader of session '${this.#sessionId}' sent cursor ${JSON.stringify(requestedId)}, which is ${meanings[reason]}; it gets a stream_gap and the stored events`;
    if (reason === 'evicted') logger.warn(message);
    else logger.info(message);
  }

  #reportDrop(count: number): void {
    const { logger, backpressure, queueMaxsize } = this.#settings;
    const which = backpressure === 'drop_oldest' ? 'oldest' : 'newest';
    logger.warn(
      `Dropping the ${which} ${count} events for a reader of session '${this.#sessionId}': its queue limit of ${queueMaxsize} is reached`,
    );
  }
}

const meanings = {
  evicted: 'older than the stored events',
  epoch: 'from a log that no longer exists',
  unknown: 'not an id of this session',
  dropped: 'followed by dropped events',
} satisfies Record<Gap['reason'], string>;
