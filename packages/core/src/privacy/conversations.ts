import { putLatest } from '../put-latest.js';
import type { PrivateDataMap } from './private-data-map.js';

/** How many conversations are remembered, the latest, and how many values of each. */
const MOST_CONVERSATIONS = 1000;
const MOST_VALUES = 256;

/** What redacted messages said, by conversation: a placeholder of an earlier turn goes on to mean what it meant. */
export class Conversations {
  readonly #values = new Map<string, PrivateDataMap>();

  /** The values of earlier turns by their names. */
  recall(threadId: string | undefined): PrivateDataMap {
    return (threadId === undefined ? undefined : this.#values.get(threadId)) ?? {};
  }

  /** Keeps the values of a conversation in place of those it had. */
  remember(threadId: string | undefined, values: PrivateDataMap): void {
    const latest = Object.entries(values).slice(-MOST_VALUES);
    if (threadId === undefined || latest.length === 0) return;
    putLatest(this.#values, [threadId, Object.fromEntries(latest)], MOST_CONVERSATIONS);
  }
}
