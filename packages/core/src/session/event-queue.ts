import type { StreamEvent } from '../compile/stream-event.js';

/** How many events may be queued for a slow reader before the run waits for it. */
const MAX_WAITING_EVENTS = 1024;

/**
 * Passes a run's events to its reader. Without a reader, events are dropped. With one, nothing is lost: if too many are
 * queued, `push` resolves only after the reader has caught up.
 */
export class EventQueue {
  #events: StreamEvent[] = [];
  #isAttended = false;
  #mayKeepWaiting = true;
  #end: { last?: StreamEvent; error?: unknown } | undefined;
  #wakeReaders: (() => void)[] = [];
  #wakeWriters: (() => void)[] = [];

  /** Whether there is a reader. */
  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** Starts to queue events for the reader. */
  attend(): void {
    this.#isAttended = true;
  }

  /** Drops the queued events: there is no reader any more. */
  detach(): void {
    this.#isAttended = false;
    this.#events = [];
    this.#release(this.#wakeWriters);
  }

  /** Stops waiting for the reader: the run should end, and the reader may be waiting for that. */
  stopWaiting(): void {
    this.#mayKeepWaiting = false;
    this.#release(this.#wakeWriters);
  }

  /** Queues an event for the reader. */
  async push(event: StreamEvent): Promise<void> {
    if (!this.#isAttended || this.#end) return;
    this.#events.push(event);
    this.#release(this.#wakeReaders);
    if (this.#mayKeepWaiting && this.#events.length > MAX_WAITING_EVENTS) {
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
    }
  }

  /**
   * Ends the queue. The reader, even one that comes later, gets the queued events first, then the last event or the error,
   * if there is one.
   */
  close(end: { last?: StreamEvent; error?: unknown } = {}): void {
    this.#end ??= end;
    if (this.#end === end && end.last) this.#events.push(end.last);
    this.#release(this.#wakeReaders);
    this.#release(this.#wakeWriters);
  }

  /** Returns the next event, or `undefined` at the end. Concurrent calls are served in order. */
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
