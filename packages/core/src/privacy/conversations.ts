import { putLatest } from '../put-latest.js';
import type { PrivateDataMap } from './private-data-map.js';

/** How many of the latest conversations are remembered, and how many values of each. */
const MAX_CONVERSATIONS = 1000;
const MAX_VALUES = 256;

/** The values of redacted messages by conversation, so that a placeholder keeps its meaning in later turns. */
export class Conversations {
  readonly #values = new Map<string, PrivateDataMap>();

  /** Returns the values of earlier turns by their names. */
  recall(threadId: string | undefined): PrivateDataMap {
    return (threadId === undefined ? undefined : this.#values.get(threadId)) ?? {};
  }

  /** Replaces the values of a conversation. */
  remember(threadId: string | undefined, values: PrivateDataMap): void {
    const latest = Object.entries(values).slice(-MAX_VALUES);
    if (threadId === undefined || latest.length === 0) return;
    putLatest(this.#values, [threadId, Object.fromEntries(latest)], MAX_CONVERSATIONS);
  }
}
