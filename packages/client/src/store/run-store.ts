import type { EventEnvelope } from '@svc/contracts';
import { scheduleFrame } from './frame-schedule.js';
import { RunFeed, type RunSnapshot } from './run-feed.js';

/** The state of a run, to subscribe to. */
export interface RunStore extends AsyncDisposable {
  /** Calls the listener after every change, at most once per frame. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
  /** Returns the current state of the run: the same object until something changes. */
  snapshot(): RunSnapshot;
  /**
   * Stops reading. An event stream is closed; another source is released with its next event. The last snapshot stays.
   * Further calls do nothing.
   */
  close(): void;
}

/** Options of a run store. */
export interface RunStoreOptions {
  /** Schedules the notification of a change. @default the next animation frame, or 32 ms without one */
  schedule?: ((change: () => void) => void) | null | undefined;
}

/**
 * Creates a store that keeps the state of a run. It starts to read the events at once.
 *
 * @throws TypeError if there is no source.
 * @example
 * const run = createRunStore(openEventStream({ url: '/svc/events/s1' }));
 * run.subscribe(() => render(run.snapshot()));
 */
export function createRunStore(
  source: AsyncIterable<EventEnvelope>,
  options?: RunStoreOptions | null,
): RunStore {
  const feed = new RunFeed(options?.schedule ?? scheduleFrame);
  void feed.follow(source);
  return feed;
}
