import { RequestError } from '../errors.js';

/** Why a stream is ended from our side, as its last event says. */
export interface StreamEnd {
  readonly code: string;
  readonly message: string;
}

interface OpenStream {
  readonly keyId: string;
  readonly projectId: string;
  readonly end: (reason?: StreamEnd) => void;
}

/** The open event streams of this process: counted against a limit, and ended when their key is revoked. */
export class StreamRegistry {
  readonly #streams = new Set<OpenStream>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  sizeOf(projectId: string): number {
    return [...this.#streams].filter((stream) => stream.projectId === projectId).length;
  }

  /** The keys that have streams open. */
  keyIds(): Set<string> {
    return new Set([...this.#streams].map(({ keyId }) => keyId));
  }

  /** Counts a stream in; the returned function counts it out. */
  add(stream: OpenStream): () => void {
    if (this.#streams.size >= this.#limit) {
      throw new RequestError(`This orchestrator holds ${this.#limit} open streams, its limit.`, {
        code: 'TOO_MANY_STREAMS',
        retryAfterS: 5,
      });
    }
    this.#streams.add(stream);
    return () => this.#streams.delete(stream);
  }

  endOf(keyId: string, reason: StreamEnd): void {
    for (const stream of this.#streams) if (stream.keyId === keyId) stream.end(reason);
  }

  /** Without a word: readers come back and go on after their cursor. */
  endAll(): void {
    for (const stream of this.#streams) stream.end();
  }
}
