import type { EventEnvelope } from '@svc/contracts';
import { leftMs } from '../connection/back-off.js';
import type { EventStream, StreamStatus } from '../connection/event-stream.js';
import { notify } from '../connection/notify.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { rememberIds } from '../connection/remember-ids.js';
import { StreamRefusedError } from '../connection/stream-refused-error.js';
import type { SharedStreamOptions } from './shared-stream-options.js';
import { TabHistory } from './tab-history.js';
import type { TabMessage } from './tab-message.js';

/** How long a follower waits for a leader's first answer, in milliseconds. */
const welcomeMs = 1_000;
/** How often a leader says that it is alive, in milliseconds. */
const aliveMs = 20_000;
/** How long a leader may be silent, in milliseconds. Browsers slow the timers of hidden tabs down to one a minute. */
const silenceMs = 90_000;
/** How long a leader stays after the end, in milliseconds. */
const lingerMs = 250;
/** How many events may wait for this tab's consumer. */
const mostWaiting = 1_000;

/** Workers and Node have no page events. */
interface Page extends Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> {
  crypto: unknown;
}
const page: Page = globalThis;

/** One tab's part in a shared connection: it leads, follows, or reads on its own while it waits to lead. */
export class SharedStream implements EventStream {
  readonly #options: SharedStreamOptions;
  readonly #tab = crypto.randomUUID();
  readonly #history: TabHistory;
  readonly #isNew = rememberIds();
  readonly #listeners = new Set<() => void>();
  readonly #events = this.#run();
  readonly #queue: EventEnvelope[] = [];
  /** Aborted when the stream is closed, and when the page is left. */
  #stay = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** This tab's own connection, while it has one. */
  #own: EventStream | undefined;
  #isLeader = false;
  #isWelcome = false;
  #isOver = false;
  #hasSaidEnd = false;
  #failure: unknown;
  /** Why the leading tab has no connection. */
  #leaderError: Error | undefined;
  /** The id of the last event received; `lastEventId` is that of the last one delivered. */
  #received: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake: (() => void) | undefined;
  #makeRoom: (() => void) | undefined;
  status: StreamStatus = 'connecting';
  lastEventId: string | undefined;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    this.lastEventId = options.lastEventId || undefined;
    this.#received = this.lastEventId;
    this.#history = new TabHistory(this.lastEventId);
    // A generator's own `return` waits for the pending pull, perhaps for an event that is hours away.
    this.#events.return = () => this.#events.next(this.close());
  }

  get lastError(): unknown {
    return this.#own ? this.#own.lastError : this.#leaderError;
  }

  get malformedFrames(): number {
    return this.#own?.malformedFrames ?? 0;
  }

  readonly close = (): void => {
    this.#isOver = true;
    this.#options.signal?.removeEventListener('abort', this.close);
    page.removeEventListener?.('pagehide', this.#hide);
    page.removeEventListener?.('pageshow', this.#comeBack);
    this.#leave();
    this.#enter('closed');
    this.#wake?.();
  };

  #leave(): void {
    this.#stay.abort();
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#own?.close();
  }

  /** Leaves: a page in the back/forward cache is frozen, and other tabs would miss the events it leads. */
  readonly #hide = (): void => {
    this.#leave();
    this.#enter('connecting');
    this.#timer = setTimeout(this.#comeBack, leftMs);
  };

  readonly #comeBack = (): void => {
    if (!this.#stay.signal.aborted || this.#isOver) return;
    this.#stay = new AbortController();
    this.#own = undefined;
    this.#isLeader = false;
    this.#join();
  };

  onStatusChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.asyncIterator](): AsyncIterator<EventEnvelope, void> {
    return this.#events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  async *#run(): AsyncGenerator<EventEnvelope, void> {
    try {
      this.#join();
      for (;;) {
        const event = this.#queue.shift();
        this.#makeRoom?.();
        if (event) {
          this.lastEventId = event.id || this.lastEventId;
          yield event;
        } else if (this.#failure) throw this.#failure;
        else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
        if (this.status === 'closed') return;
      }
    } finally {
      this.close();
    }
  }

  #join(): void {
    const { identity, url } = this.#options;
    const { signal } = this.#stay;
    this.#options.signal?.addEventListener('abort', this.close);
    if (this.#options.signal?.aborted || this.#isOver) {
      this.close();
      return;
    }
    page.addEventListener?.('pagehide', this.#hide);
    page.addEventListener?.('pageshow', this.#comeBack);
    const name = `svc-events:1:${identity}:${String(url)}`;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: { data: TabMessage }) => this.#hear(data);
    navigator.locks
      .request(name, { signal }, () => this.#lead(signal))
      // Aborted while it waited, or a page without permission to use locks, which reads on its own.
      .catch(() => signal.aborted || this.#readMyself());
    this.#greet();
    this.#readAfter(welcomeMs);
  }

  /** Reads for all tabs until it leaves. */
  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeader = true;
    this.#readMyself();
    this.#saySo();
    const alive = setInterval(() => this.#saySo(), aliveMs);
    await new Promise((resolve) =>
      signal.aborted ? resolve(true) : signal.addEventListener('abort', resolve),
    );
    clearInterval(alive);
    // A tab that hears of the end before it gets the lock does not have to ask the server.
    if (this.#hasSaidEnd) await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }

  #readMyself(): void {
    clearTimeout(this.#timer);
    if (this.#own || this.#isOver) return;
    const own = openEventStream({ url: this.#options.url, lastEventId: this.#received });
    this.#own = own;
    // The status that the leading tab sent does not apply to this connection.
    this.#enter(own.status);
    own.onStatusChange(() => {
      if (own.status === 'closed') return;
      this.#enter(own.status);
      this.#saySo();
    });
    void this.#pump(own);
  }

  async #pump(own: EventStream): Promise<void> {
    const { signal } = this.#stay;
    try {
      for await (const event of own) {
        if (this.#isLeader) this.#say({ kind: 'event', event, after: this.#received });
        this.#take(event);
        if (this.#queue.length >= mostWaiting)
          await new Promise<void>((resolve) => (this.#makeRoom = resolve));
      }
    } catch (error) {
      this.#failure = error;
    }
    // A leader that leaves sends no end: the session continues in another tab.
    if (signal.aborted) return;
    const { statusCode } = this.#failure instanceof StreamRefusedError ? this.#failure : {};
    this.#hasSaidEnd = this.#isLeader;
    if (this.#isLeader) this.#say({ kind: 'end', refused: statusCode });
    this.#finish();
  }

  #hear(message: TabMessage): void {
    const { kind } = message;
    if (kind === 'hello' && this.#isLeader) {
      this.#say({
        kind: 'welcome',
        tab: message.tab,
        events: this.#history.after(message.cursor),
        ...this.#standing(),
      });
    }
    if (this.#own || this.#isOver) return;
    if (kind === 'welcome') this.#arrive(message);
    else if (kind === 'event' && this.#isWelcome) this.#follow(message);
    else if (kind === 'status') this.#keepUp(message);
    else if (kind === 'end') {
      if (message.refused) this.#failure = new StreamRefusedError(message.refused, 'in another tab');
      // The server still has the missed events; the leading tab no longer answers.
      else if (!this.#isWelcome) return this.#readMyself();
      this.#finish();
    }
  }

  #arrive(message: Extract<TabMessage, { kind: 'welcome' }>): void {
    const { tab, events } = message;
    if (tab !== this.#tab) return;
    if (!events) return this.#readMyself();
    this.#isWelcome = true;
    for (const event of events) this.#take(event);
    this.#keepUp(message);
  }

  #follow({ event, after }: Extract<TabMessage, { kind: 'event' }>): void {
    if (after === this.#received) this.#take(event);
    // A new leader starts at its own position, which may be before or after that of this tab.
    else if (!this.#history.after(event.id)) this.#greet();
    if (this.#queue.length >= mostWaiting) this.#readMyself();
    else this.#readAfter(silenceMs);
  }

  /** Notes that a leader is alive. */
  #keepUp({ status, lostBy }: Extract<TabMessage, { status: StreamStatus }>): void {
    this.#readAfter(silenceMs);
    this.#leaderError = lostBy === undefined ? undefined : new Error(lostBy);
    if (this.#isWelcome) this.#enter(status);
    else this.#greet();
  }

  #take(event: EventEnvelope): void {
    if (event.type !== 'stream_gap' && event.id && !this.#isNew(event.id)) return;
    this.#received = event.id || this.#received;
    this.#history.add(event);
    this.#queue.push(event);
    this.#wake?.();
  }

  #greet(): void {
    this.#isWelcome = false;
    this.#say({ kind: 'hello', tab: this.#tab, cursor: this.#received });
  }

  #saySo(): void {
    if (this.#isLeader) this.#say({ kind: 'status', ...this.#standing() });
  }

  /** Returns the status for other tabs. An error is sent as a string, because not every value can be cloned. */
  #standing() {
    const { status, lastError } = this;
    return { status, lostBy: lastError === undefined ? undefined : String(lastError) };
  }

  #say(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  /** Reads on its own after this time, unless a leader is heard first. */
  #readAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#readMyself(), waitMs);
  }

  #finish(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  #enter(status: StreamStatus): void {
    if (status === this.status || this.status === 'closed') return;
    this.status = status;
    notify(this.#listeners);
  }
}
