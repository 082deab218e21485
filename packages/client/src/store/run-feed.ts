import type { EventEnvelope } from '@svc/contracts';
import type { EventStream, StreamStatus } from '../connection/event-stream.js';
import { notify } from '../connection/notify.js';
import { reduceRun } from '../state/reduce-run.js';
import { initialRunState, type RunState } from '../state/run-state.js';

/** A run's state and the status of its connection. */
export interface RunSnapshot extends RunState {
  /** The status of the stream. Never `replaying`: missed events are shown as one change. */
  readonly connection: StreamStatus;
  /** The error that ended the stream for good, or null. */
  readonly failure: unknown;
}

/** The source of events. The members of an {@link EventStream} are used if present. */
export type RunSource = AsyncIterable<EventEnvelope> &
  Partial<Omit<EventStream, keyof AsyncIterable<EventEnvelope>>>;

/** The snapshot before the first event. */
export const initialSnapshot: RunSnapshot = { ...initialRunState, connection: 'connecting', failure: null };

/** Reduces a source's events to snapshots, and notifies its listeners at most once per frame. */
export class RunFeed {
  readonly #schedule: (change: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #state: RunState = initialRunState;
  #snapshot = initialSnapshot;
  #source: RunSource | undefined;
  #change: (() => void) | undefined;

  constructor(schedule: (change: () => void) => void) {
    this.#schedule = schedule;
  }

  readonly snapshot = (): RunSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads this source to its end, or until `close()`. Throws at once if there is no source. */
  follow(source: RunSource): Promise<void> {
    this.#source = source;
    source.onStatusChange?.(this.#publishSoon);
    return this.#read(source);
  }

  async #read(source: RunSource): Promise<void> {
    let failure: unknown;
    try {
      for await (const event of source) {
        if (this.#source !== source) return;
        this.#state = reduceRun(this.#state, event);
        this.#publishSoon();
      }
    } catch (error) {
      failure = error;
    }
    if (this.#source === source) this.close(failure);
  }

  /** Releases the source. The snapshot stays; its connection is `closed`, unless another source will follow. */
  close(failure?: unknown, connection: StreamStatus = 'closed'): void {
    const source = this.#source;
    if (!source) return;
    this.#source = undefined;
    this.#publish(connection, failure);
    source.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  readonly #publishSoon = (): void => {
    if (this.#change) return;
    const change = () => {
      // The frame or the timer of an earlier change.
      if (this.#change !== change) return;
      this.#change = undefined;
      const source = this.#source;
      // A replay is one change. Its end changes the status, which schedules this again.
      if (source && source.status !== 'replaying') this.#publish(source.status ?? 'open');
    };
    this.#schedule((this.#change = change));
  };

  #publish(connection: StreamStatus, failure: unknown = null): void {
    this.#snapshot = { ...this.#state, connection, failure };
    notify(this.#listeners);
  }
}
