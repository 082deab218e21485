import type { BridgeRegistry, EventBridge, ReaderOptions } from '@svc/events';
import type { StreamWriter } from './stream-writer.js';

/** A reader of a session that has not begun, and its reader options. */
export interface Waiting {
  readonly writer: StreamWriter;
  readonly options: Pick<ReaderOptions, 'audience' | 'lastEventId'>;
}

/** The readers waiting for their session's bridge. */
export class WaitingRoom {
  readonly #limit: number;
  readonly #registry: BridgeRegistry;
  readonly #bySession = new Map<string, Set<Waiting>>();
  readonly #stopListening: () => void;
  #size = 0;

  constructor(registry: BridgeRegistry, limit: number) {
    this.#registry = registry;
    this.#limit = limit;
    this.#stopListening = registry.onBridge((bridge) => this.#release(bridge));
  }

  get isFull(): boolean {
    return this.#size >= this.#limit;
  }

  /** Adds a reader until its session begins, it leaves, or the registry closes. */
  enter(waiting: Waiting): void {
    const { sessionId } = waiting.writer;
    const bridge = this.#registry.get(sessionId);
    if (bridge !== undefined) {
      void attachOrEnd(waiting, bridge);
      return;
    }
    this.#size += 1;
    waiting.writer.onceEnded(() => this.#leave(waiting));
    const all = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, all.add(waiting));
  }

  /** Stops listening for new sessions. */
  close(): void {
    this.#stopListening();
  }

  #leave(waiting: Waiting): void {
    const { sessionId } = waiting.writer;
    const all = this.#bySession.get(sessionId);
    if (!all?.delete(waiting)) return;
    if (all.size === 0) this.#bySession.delete(sessionId);
    this.#size -= 1;
  }

  #release(bridge: EventBridge | undefined): void {
    const sessions = bridge === undefined ? [...this.#bySession.keys()] : [bridge.sessionId];
    for (const sessionId of sessions) {
      const all = this.#bySession.get(sessionId);
      if (all === undefined) continue;
      this.#bySession.delete(sessionId);
      this.#size -= all.size;
      for (const each of all) void attachOrEnd(each, bridge);
    }
  }
}

async function attachOrEnd({ writer, options }: Waiting, bridge: EventBridge | undefined): Promise<void> {
  try {
    if (bridge === undefined) writer.end();
    else writer.attach(await bridge.openReader(options));
  } catch (error) {
    writer.fail(error);
  }
}
