import type { EventEnvelope } from '@svc/contracts';
import { pageLeftMs } from '../connection/back-off.js';
import type { EventStream, StreamStatus } from '../connection/event-stream.js';
import { notify } from '../connection/notify.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { rememberIds } from '../connection/remember-ids.js';
import { StreamRefusedError } from '../connection/stream-refused-error.js';
import { page } from '../page.js';
import { aliveMs, lingerMs, mostWaiting, silenceMs, welcomeMs } from './limits.js';
import { openChannel } from './open-channel.js';
import type { SharedStreamOptions } from './shared-stream-options.js';
import { TabHistory } from './tab-history.js';
import type { TabMessage } from './tab-message.js';

/** One tab's part in a shared connection: it leads, follows, or reads on its own while it waits to lead. */
export class SharedStream implements EventStream {
  readonly #options: SharedStreamOptions;
  readonly #history: TabHistory;
  readonly #isNew = rememberIds();
  readonly #listeners = new Set<() => void>();
  readonly #events = this.#run();
  readonly #queue: EventEnvelope[] = [];
  /** Aborted when the stream is closed, and when the page is left. */
  #participation = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** This tab's own connection, while it has one. */
  #own: EventStream | undefined;
  #isLeader = false;
  /** The id of the hello whose answer this tab awaits. */
  #hello: string | undefined;
  #isWelcomed = false;
  #isOver = false;
  #hasSentEnd = false;
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
    page.removeEventListener?.('pageshow', this.#rejoin);
    this.#leave();
    this.#setStatus('closed');
    this.#wake?.();
  };

  #leave(): void {
    this.#participation.abort();
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#own?.close();
  }

  /** Leaves: a page in the back/forward cache is frozen, and other tabs would miss the events it should forward. */
  readonly #hide = (): void => {
    this.#leave();
    this.#setStatus('connecting');
    this.#timer = setTimeout(this.#rejoin, pageLeftMs);
  };

  readonly #rejoin = (): void => {
    if (!this.#participation.signal.aborted || this.#isOver) return;
    this.#participation = new AbortController();
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
    const { signal } = this.#participation;
    this.#options.signal?.addEventListener('abort', this.close);
    if (this.#options.signal?.aborted || this.#isOver) return this.close();
    page.addEventListener?.('pagehide', this.#hide);
    page.addEventListener?.('pageshow', this.#rejoin);
    const name = `svc-events:1:${identity}:${String(url)}`;
    this.#channel = openChannel(name);
    if (!this.#channel) return this.#openOwn();
    this.#channel.onmessage = ({ data }: { data: TabMessage | null }) => this.#handleMessage(data);
    navigator.locks
      .request(name, { signal }, () => this.#lead(signal))
      // Aborted while it waited, or a page without permission to use locks, which reads on its own.
      .catch(() => signal.aborted || this.#openOwn());
    this.#sendHello();
    this.#openOwnAfter(welcomeMs);
  }

  /** Reads for all tabs until it leaves. */
  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeader = true;
    this.#openOwn();
    this.#announceStatus();
    // While its own consumer holds it up, it falls silent, and the other tabs read on their own.
    const alive = setInterval(() => this.#queue.length < mostWaiting && this.#announceStatus(), aliveMs);
    await new Promise((resolve) =>
      signal.aborted ? resolve(true) : signal.addEventListener('abort', resolve),
    );
    clearInterval(alive);
    // A tab that hears of the end before it gets the lock does not have to ask the server.
    if (this.#hasSentEnd) await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }

  #openOwn(): void {
    clearTimeout(this.#timer);
    if (this.#own || this.#isOver) return;
    // An answer that comes later would add what this connection reads too.
    this.#hello = undefined;
    const own = openEventStream({ url: this.#options.url, lastEventId: this.#received });
    this.#own = own;
    // The status that the leading tab sent does not apply to this connection.
    this.#setStatus(own.status);
    own.onStatusChange(() => {
      if (own.status === 'closed') return;
      this.#setStatus(own.status);
      this.#announceStatus();
    });
    void this.#pump(own);
  }

  async #pump(own: EventStream): Promise<void> {
    const { signal } = this.#participation;
    let failure: unknown;
    try {
      for await (const event of own) {
        if (this.#isLeader) this.#send({ kind: 'event', event, after: this.#received });
        this.#addEvent(event);
        if (this.#queue.length >= mostWaiting)
          await new Promise<void>((resolve) => (this.#makeRoom = resolve));
      }
    } catch (error) {
      failure = error;
    }
    // A leader that leaves sends no end: the session continues in another tab. So does a tab that follows again.
    if (signal.aborted || this.#own !== own) return;
    this.#failure = failure;
    const { statusCode } = failure instanceof StreamRefusedError ? failure : {};
    this.#hasSentEnd = this.#isLeader;
    if (this.#isLeader) this.#send({ kind: 'end', refused: statusCode });
    this.#finish();
  }

  #handleMessage(message: TabMessage | null): void {
    if (!message) return this.#isLeader ? undefined : this.#openOwn();
    const { kind } = message;
    if (kind === 'hello' && this.#isLeader) {
      const events = this.#history.after(message.cursor);
      this.#send({ kind: 'welcome', id: message.id, events, ...this.#statusMessage() });
    }
    if (this.#isLeader || this.#isOver) return;
    if (kind === 'welcome') this.#handleWelcome(message);
    else if (this.#own) {
      // The leader is back. A tab whose consumer is slow would soon read on its own again.
      const canFollow = this.#received && !this.#queue.length;
      if (canFollow && kind === 'status' && /open|waiting/.test(message.status)) this.#sendHello();
    } else if (kind === 'event' && this.#isWelcomed) this.#handleEvent(message);
    else if (kind === 'status') this.#handleStatus(message);
    else if (kind === 'end') {
      if (message.refused) this.#failure = new StreamRefusedError(message.refused, 'in another tab');
      // The server still has the missed events; the leading tab no longer answers.
      else if (!this.#isWelcomed) return this.#openOwn();
      this.#finish();
    }
  }

  #handleWelcome(message: Extract<TabMessage, { kind: 'welcome' }>): void {
    const { id, events } = message;
    if (id !== this.#hello) return;
    if (!events) return this.#openOwn();
    this.#isWelcomed = true;
    for (const event of events) this.#addEvent(event);
    this.#own?.close();
    this.#own = undefined;
    this.#handleStatus(message);
  }

  #handleEvent({ event, after }: Extract<TabMessage, { kind: 'event' }>): void {
    if (after === this.#received) this.#addEvent(event);
    // A new leader starts at its own position, which may be before or after that of this tab.
    else if (!this.#history.after(event.id)) this.#sendHello();
    if (this.#queue.length >= mostWaiting) this.#openOwn();
    else this.#openOwnAfter(silenceMs);
  }

  /** Notes that a leader is alive. */
  #handleStatus({ status, lostBy }: Extract<TabMessage, { status: StreamStatus }>): void {
    this.#openOwnAfter(silenceMs);
    this.#leaderError = lostBy === undefined ? undefined : new Error(lostBy);
    if (this.#isWelcomed) this.#setStatus(status);
    else this.#sendHello();
  }

  #addEvent(event: EventEnvelope): void {
    if (event.type !== 'stream_gap' && event.id && !this.#isNew(event.id)) return;
    this.#received = event.id || this.#received;
    this.#history.add(event);
    this.#queue.push(event);
    this.#wake?.();
  }

  #sendHello(): void {
    this.#isWelcomed = false;
    this.#hello = crypto.randomUUID();
    this.#send({ kind: 'hello', id: this.#hello, cursor: this.#received });
  }

  #announceStatus(): void {
    if (this.#isLeader) this.#send({ kind: 'status', ...this.#statusMessage() });
  }

  /** Returns the status for other tabs. An error is sent as a string, because not every value can be cloned. */
  #statusMessage() {
    const { status, lastError } = this;
    return { status, lostBy: lastError === undefined ? undefined : String(lastError) };
  }

  /** Sends a message; null for one with an event that is nested too deeply, which each tab reads on its own. */
  #send(message: TabMessage): void {
    try {
      this.#channel?.postMessage(message);
    } catch {
      this.#channel?.postMessage(null);
    }
  }

  /** Opens its own connection after this time, unless a leader is heard first. */
  #openOwnAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#openOwn(), waitMs);
  }

  #finish(): void {
    this.#isOver = true;
    // Another tab leads from now on, even if this one's consumer never takes the end.
    this.#participation.abort();
    this.#wake?.();
  }

  #setStatus(status: StreamStatus): void {
    if (status === this.status || this.status === 'closed') return;
    this.status = status;
    notify(this.#listeners);
  }
}
