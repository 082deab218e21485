import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventStream, EventStreamOptions } from '../connection/event-stream.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { scheduleFrame } from '../store/frame-schedule.js';
import { initialSnapshot, RunFeed, type RunSnapshot } from '../store/run-feed.js';
import type { RunStoreOptions } from '../store/run-store.js';

/** Options of {@link useRun}. They are read when a connection is opened; new ones on every render open none. */
export interface UseRunOptions extends Omit<EventStreamOptions, 'url' | 'signal'>, RunStoreOptions {
  /** What opens the stream. @default openEventStream */
  open?: ((options: EventStreamOptions) => EventStream) | null | undefined;
}

/**
 * The run at this address, as it goes on. It connects when the component is mounted, not when it renders, and lets go
 * when it is unmounted; a component that comes back resumes where it was. Without an address it waits for one.
 */
export function useRun(url: string | URL | null | undefined, options?: UseRunOptions | null): RunSnapshot {
  const address = url ? String(url) : '';
  const run = useMemo(() => createMountedRun(address), [address]);
  useEffect(() => run.setOptions(options ?? {}));
  return useSyncExternalStore(run.subscribe, run.snapshot, () => initialSnapshot);
}

/** A run that is read while somebody looks. */
function createMountedRun(address: string) {
  let options: UseRunOptions = {};
  let stream: EventStream | undefined;
  let cursor: string | undefined;
  let readers = 0;
  const feed = new RunFeed((change) => (options.schedule ?? scheduleFrame)(change));
  const start = () => {
    const { open, headers, fetch, lastEventId } = options;
    stream = (open ?? openEventStream)({
      url: address,
      fetch,
      lastEventId: cursor ?? lastEventId,
      // A reconnect takes the headers of the last render, where a token may be fresh.
      ...(headers && {
        headers: () => (typeof options.headers === 'function' ? options.headers() : (options.headers ?? {})),
      }),
    });
    void feed.follow(stream);
  };
  /** A stream that ended by itself stays: it has nothing more to say. */
  const pause = () => {
    if (readers > 0 || !stream || stream.status === 'closed') return;
    cursor = stream.lastEventId;
    stream = undefined;
    feed.close(undefined, 'connecting');
  };
  return {
    snapshot: feed.snapshot,
    setOptions: (latest: UseRunOptions) => {
      options = latest;
    },
    subscribe: (listener: () => void) => {
      const takeOff = feed.subscribe(listener);
      readers += 1;
      if (address && !stream) start();
      return () => {
        takeOff();
        readers -= 1;
        // StrictMode and a keyed move take a component out and put it back in the same turn.
        setTimeout(pause);
      };
    },
  };
}
