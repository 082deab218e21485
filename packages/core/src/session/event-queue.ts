import type { StreamEvent } from '../compile/stream-event.js';

/** How many events wait for a slow reader before the run waits for it. */
const MAX_WAITING_EVENTS = 1024;

/**
 * Carries a run's events to its one reader. Without a reader, events are dropped. With one, nothing is lost: when too
 * many wait, `push` resolves only after the reader caught up.
 */
export class EventQueue {
  #events: StreamEvent[] = [];
  #isAttended = false;
  #mayKeepWaiting = true;
  #end: { error?: unknown } | undefined;
  #wakeReaders: (() => void)[] = [];
  #wakeWriters: (() => void)[] = [];

  /** Whether somebody reads. */
  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** From now on events are kept for the reader. */
  attend(): void {
    this.#isAttended = true;
  }

  /** Nobody reads any more. */
  detach(): void {
    this.#isAttended = false;
    this.#events = [];
    this.#release(this.#wakeWriters);
  }

  /** From now on nobody waits for the reader: the run is to end, and the reader may be the one who waits for that. */
  hurry(): void {
    this.#mayKeepWaiting = false;
    this.#release(this.#wakeWriters);
  }

  /** Gives the reader an event. */
  async push(event: StreamEvent): Promise<void> {
    if (!this.#isAttended || this.#end) return;
    this.#events.push(event);
    this.#release(this.#wakeReaders);
    if (this.#mayKeepWaiting && this.#events.length > MAX_WAITING_EVENTS) {
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
    }
  }

  /** No event follows; with an error, the reader fails with it after the events that wait. */
  close(end: { error?: unknown } = {}): void {
    this.#end ??= end;
    this.#release(this.#wakeReaders);
    this.#release(this.#wakeWriters);
  }

  /** The next event, or `undefined` at the end. Several that are asked for at once come in the order they were asked for. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event) {
        if (this.#events.length < MAX_WAITING_EVENTS / 2) this.#release(this.#wakeWriters);
        return event;
      }
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => this.#wakeReaders.push(resolve));
    }
  }

  #release(waiting: (() => void)[]): void {
    for (const release of waiting.splice(0)) release();
  }
}
