import { createHash } from 'node:crypto';
import { putLatest } from '../put-latest.js';

/** Remembers the latest event ids with what they stood for, so that a replayed event is noticed. */
export class SeenIds {
  readonly #digests = new Map<string, string>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Adds an event; returns `false` if it is already known. A known id with other content is another event. */
  add(id: string, content: string): boolean {
    const digest = createHash('sha256').update(content).digest('base64');
    if (this.#digests.get(id) === digest) return false;
    putLatest(this.#digests, [id, digest], this.#limit);
    return true;
  }
}
