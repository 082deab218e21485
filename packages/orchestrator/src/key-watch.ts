import type { RunStore } from '@svc/contracts/orchestrator';
import { repeat, type Clock } from './clock.js';
import type { StreamRegistry } from './streams/stream-registry.js';
import { entryOf } from './sessions/record/session-record.js';
import type { SessionManager } from './sessions/session-manager.js';
import type { KeyRing } from './keys/key-ring.js';

/** What a `KeyWatch` needs. */
export interface KeyWatchOptions {
  readonly keys: KeyRing;
  readonly manager: SessionManager;
  readonly streams: StreamRegistry;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

const message = 'The key has been revoked.';

/**
 * Ends the streams and runs of revoked keys: at once when a key is revoked in this process, within the interval when
 * another process (such as the command line) does it.
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions;
  /** The keys whose check has no answer yet. */
  readonly #checking = new Set<string>();
  #stopListening: (() => void) | undefined;
  #stop: (() => void) | undefined;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  open(): void {
    this.#stopListening = this.#options.keys.onRevoked((keyId) => this.#end(keyId));
    // Not awaited, because the next round must not wait for a check without an answer.
    this.#stop = repeat(this.#options, async () => void this.#check().catch(this.#options.onError));
  }

  close(): void {
    this.#stopListening?.();
    this.#stop?.();
  }

  /** Checks all keys at once: one that is read slowly, or cannot be read, must not hold up the others. */
  async #check(): Promise<void> {
    const { keys, manager, streams } = this.#options;
    const inUse = new Set([...streams.keyIds(), ...manager.runsByKey().keys()]);
    const unchecked = [...inUse].filter((keyId) => !this.#checking.has(keyId));
    const checks = unchecked.map(async (keyId) => {
      this.#checking.add(keyId);
      try {
        if (!(await keys.isValid(keyId))) this.#end(keyId);
      } finally {
        this.#checking.delete(keyId);
      }
    });
    await Promise.all(checks);
  }

  #end(keyId: string): void {
    const { manager, streams, store, clock, onError } = this.#options;
    streams.endOf(keyId, { code: 'KEY_REVOKED', message });
    const entries = [entryOf('cancel', { code: 'KEY_REVOKED', reason: message })];
    const runs = new Set([...(manager.runsByKey().get(keyId) ?? []), ...streams.runsOf(keyId)]);
    for (const sessionId of runs) {
      store.append(sessionId, { entries, nowMs: clock.nowMs() }).catch(onError);
    }
  }
}
