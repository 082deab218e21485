import { RequestError } from '../errors.js';
import type { OrchestratorLimits } from '../options.js';

/** Why the server ends a stream, as reported in its last event. */
export interface StreamEnd {
  readonly code: string;
  readonly message: string;
}

interface OpenStream {
  readonly keyId: string;
  readonly projectId: string;
  /** The run that it reads, if the stream's key started that run. */
  readonly ownRun?: string | undefined;
  readonly end: (reason?: StreamEnd) => void;
}

const retryAfterS = 5;

type StreamLimits = Pick<OrchestratorLimits, 'streams' | 'streamsPerProject'>;

/**
 * The open event streams of this process: counted against the limits of the process and of each project, and ended when
 * their key is revoked.
 */
export class StreamRegistry {
  readonly #streams = new Set<OpenStream>();
  readonly #limits: StreamLimits;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  sizeOf(projectId: string): number {
    return [...this.#streams].filter((stream) => stream.projectId === projectId).length;
  }

  /** The keys with open streams. */
  keyIds(): Set<string> {
    return new Set([...this.#streams].map(({ keyId }) => keyId));
  }

  /** The runs of a key that its streams read, wherever they work. */
  runsOf(keyId: string): string[] {
    const streams = [...this.#streams].filter((stream) => stream.keyId === keyId);
    return streams.flatMap(({ ownRun }) => ownRun ?? []);
  }

  /**
   * Counts a stream; the returned function removes it.
   * @throws RequestError `QUOTA_EXCEEDED` at the project's limit, `TOO_MANY_STREAMS` at that of the process
   */
  add(stream: OpenStream): () => void {
    const { streams, streamsPerProject: limit } = this.#limits;
    if (this.sizeOf(stream.projectId) >= limit) {
      throw new RequestError(`The project has reached its limit of ${limit} open streams here.`, {
        code: 'QUOTA_EXCEEDED',
        details: { quota: 'open_streams', limit },
        retryAfterS,
      });
    }
    if (this.#streams.size >= streams) {
      throw new RequestError(`This orchestrator has reached its limit of ${streams} open streams.`, {
        code: 'TOO_MANY_STREAMS',
        retryAfterS,
      });
    }
    this.#streams.add(stream);
    return () => this.#streams.delete(stream);
  }

  endOf(keyId: string, reason: StreamEnd): void {
    for (const stream of this.#streams) if (stream.keyId === keyId) stream.end(reason);
  }

  /** Sends no reason, so readers reconnect and continue after their cursor. */
  endAll(): void {
    for (const stream of this.#streams) stream.end();
  }
}
