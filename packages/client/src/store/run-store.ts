import type { EventEnvelope } from '@svc/contracts';
import { scheduleFrame } from './frame-schedule.js';
import { RunFeed, type RunSnapshot } from './run-feed.js';

/** A run that can be shown. */
export interface RunStore extends AsyncDisposable {
  /** Calls the listener after every change, at most once per frame. The answer takes it off again. */
  subscribe(listener: () => void): () => void;
  /** The run as it is now: the same object until something changes. */
  snapshot(): RunSnapshot;
  /** Lets go of the source. The last snapshot stays. Closing twice is fine. */
  close(): void;
}

/** Options of a run store. */
export interface RunStoreOptions {
  /** When to tell of changes. @default the next animation frame, or 32 ms where there are none */
  schedule?: ((change: () => void) => void) | null | undefined;
}

/**
 * Keeps the state of a run from its events, which it starts to read at once.
 *
 * @throws TypeError when there is no source.
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
