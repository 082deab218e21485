import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventStream, EventStreamOptions } from '../connection/event-stream.js';
import { openEventStream } from '../connection/open-event-stream.js';
import { scheduleFrame } from '../store/frame-schedule.js';
import { initialSnapshot, RunFeed, type RunSnapshot } from '../store/run-feed.js';
import type { RunStoreOptions } from '../store/run-store.js';

/** Options of {@link useRun}. They are read when a connection opens; new options on a render do not open one. */
export interface UseRunOptions extends Omit<EventStreamOptions, 'url' | 'signal'>, RunStoreOptions {
  /** Opens the stream. @default openEventStream */
  open?: ((options: EventStreamOptions) => EventStream) | null | undefined;
}

/**
 * Returns the current state of the run at this URL, and renders again when it changes. It connects when the component
 * is mounted, not when it renders, and disconnects when it is unmounted; a component that is mounted again resumes
 * where it was. Without a URL it waits for one.
 */
export function useRun(url: string | URL | null | undefined, options?: UseRunOptions | null): RunSnapshot {
  const address = url ? String(url) : '';
  const run = useMemo(() => createMountedRun(address), [address]);
  useEffect(() => run.setOptions(options ?? {}));
  return useSyncExternalStore(run.subscribe, run.snapshot, () => initialSnapshot);
}

/** A run that is read while a component shows it. */
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
      // A reconnect uses the headers of the last render, where a token may be fresh.
      ...(headers && {
        headers: () => (typeof options.headers === 'function' ? options.headers() : (options.headers ?? {})),
      }),
    });
    void feed.follow(stream);
  };
  /** Disconnects when no component is left. A stream that ended by itself stays: there is nothing more to read. */
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
      const unsubscribe = feed.subscribe(listener);
      readers += 1;
      if (address && !stream) start();
      return () => {
        unsubscribe();
        readers -= 1;
        // StrictMode and a keyed move unmount a component and mount it again in the same turn.
        setTimeout(pause);
      };
    },
  };
}
