import { EventBridge, MemoryEventLog, type LogEvent, type WriterToken } from '@svc/events';

interface PeerEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** The adapter `raw` of the harness, as far as it is used here. */
interface RawAdapter {
  preload(id: string, events: readonly { readonly id: string }[]): void;
}

/** A log that remembers the frame appended last. */
class LastFrame extends MemoryEventLog {
  frame = '';

  override append(event: LogEvent, writer: WriterToken): Promise<void> {
    this.frame = event.frames;
    return super.append(event, writer);
  }
}

const options = { audience: 'frontend_safe', maxHistory: 20_000 } as const;

/**
 * `raw` with the frames of `svc-contract`: bare `node:http` that writes the same bytes, made before the clock starts. The
 * harness runs it in the folder of the peers.
 */
export default async function createRawContract(): Promise<RawAdapter> {
  const { default: createRaw }: { default: () => Promise<RawAdapter> } = await import(
    `${process.cwd()}/adapters/raw.mjs`
  );
  const raw = await createRaw();
  const log = new LastFrame();
  const bridge = new EventBridge('frames', { ...options, log });
  // Events are appended within `emit` once the session is open.
  await bridge.emitSessionStart({ sessionId: 'frames' });
  return Object.assign(raw, {
    prepare({ type, data }: PeerEvent): Buffer {
      void bridge.emit(type, data);
      return Buffer.from(log.frame);
    },
    preload: replaceEvents(raw.preload),
  });
}

/** Preloads the contract's events instead of the harness's. A replay begins after the first event. */
function replaceEvents(preload: RawAdapter['preload']) {
  return async (id: string, events: readonly PeerEvent[]): Promise<void> => {
    const bridge = new EventBridge(id, options);
    // The harness looks for its own id of the last event.
    for (const [at, { id: own, type, data }] of events.entries())
      await bridge.emit(type, at === events.length - 1 ? { ...data, id: own } : data);
    const [, ...replayed] = await bridge.history();
    preload(id, replayed);
  };
}
