import { APICallError, embedMany, RetryError, type EmbeddingModel } from 'ai';
import type { Clock } from '../../clock.js';
import { cutText } from '../../cut-text.js';

/** Makes vectors of texts. */
export interface Embedder {
  /** Names the model; vectors of different models are never compared. */
  readonly name: string;
  /** One vector per text, in order. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Characters of a text that are embedded: current models refuse longer texts, or truncate them. */
const maxTextLength = 8_000;

/** An embedder over any AI SDK embedding model. */
export function modelEmbedder(model: EmbeddingModel): Embedder {
  return {
    name: typeof model === 'string' ? model : `${model.provider}/${model.modelId}`,
    async embed(texts, signal) {
      const { embeddings } = await embedMany({
        model,
        values: texts.map((text) => cutText(text, maxTextLength)),
        abortSignal: signal,
        maxRetries: 1,
      });
      return embeddings;
    },
  };
}

/** The same embedder, aborting calls that take longer than this. */
export function withTimeLimit(
  embedder: Embedder,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Embedder {
  return {
    name: embedder.name,
    async embed(texts, signal) {
      const work = new AbortController();
      const message = `The embedding model took longer than ${timeoutMs / 1000} s.`;
      const cancel = clock.after(timeoutMs, () => work.abort(new DOMException(message, 'TimeoutError')));
      // `AbortSignal.any` leaks memory into a long-lived signal such as the indexer's.
      const abort = () => work.abort(signal.reason);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      try {
        return await embedder.embed(texts, work.signal);
      } finally {
        cancel();
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

/** Whether a failure is transient and not caused by the texts. Some services answer 500 to a text that is too long. */
export function isTransient(error: unknown): boolean {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last)) return last.isRetryable && last.statusCode !== 500;
  return RetryError.isInstance(error) || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** A vector scaled to length 1, so that the product of two is their cosine; undefined for a zero or non-finite vector. */
export function unitVector(vector: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(vector, (value) => value / length);
}

/** The cosine of two unit vectors; undefined when their sizes differ. */
export function cosine(left: Float32Array, right: Float32Array): number | undefined {
  if (left.length !== right.length) return undefined;
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}
