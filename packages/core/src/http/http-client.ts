import type { Agent as ConnectionPool, Dispatcher } from 'undici';
import type * as z from 'zod';
import type { ApiKey } from '../config/api-key.js';
import { cutText } from '../cut-text.js';
import { abortLater, withDeadline } from '../deadline.js';
import { isEventStream } from '../is-event-stream.js';
import type { Runtime } from '../runtime.js';
import { VERSION } from '../version.js';
import { explainConnectionFailure } from './connection-failure.js';
import { createConnectionPool } from './connection-pool.js';
import { ConnectionError } from './errors.js';
import { readHttpError } from './read-error.js';
import { decideRetry, UNPROCESSED_ONLY, type RetryPolicy } from './retry.js';

/** The default time limit of one request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** The largest JSON response that is read, in bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** How much of a content type an error shows, in characters. */
const MAX_SHOWN_TYPE = 100;

/** Options of an {@link HttpClient}. */
export interface HttpClientOptions {
  baseUrl: string;
  apiKey: ApiKey;
  runtime: Runtime;
  requestTimeoutMs?: number | undefined;
}

/** One JSON request. `target` is a path below the base URL, or an absolute URL of the same origin. */
export interface JsonRequest<Schema extends z.ZodType> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  target: string;
  body?: unknown;
  /** Parses the response; an empty body counts as `{}`. */
  schema: Schema;
  retry?: RetryPolicy;
  /** The key by which the service recognizes a repeated request. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long to wait for a pending response after `signal` aborts, in milliseconds. @default 0 */
  lingerMs?: number;
}

/** A JSON client of one orchestrator. The API key is sent only to its origin: redirects are not followed. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  #pool: Promise<ConnectionPool> | undefined;
  readonly #origin: string;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#origin = new URL(options.baseUrl).origin;
  }

  /** Sends a request, retries it as its policy allows, and parses the response. */
  async request<Schema extends z.ZodType>(request: JsonRequest<Schema>): Promise<z.output<Schema>> {
    const url = this.resolve(request.target);
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const { runtime } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return parseResponse(request.schema, await this.#sendAndWait(request, url, body));
      } catch (error) {
        request.signal?.throwIfAborted();
        const delayMs = decideRetry(request.retry ?? UNPROCESSED_ONLY, error, attempt, runtime.random());
        if (delayMs === undefined) throw error;
        await runtime.sleep(delayMs, request.signal);
      }
    }
  }

  /**
   * Opens an event stream; throws for any status but 200, and for another content type. `idleTimeoutMs` limits each
   * silence of the stream; a refusal has to arrive within the time of a request.
   */
  async openStream(
    target: string,
    options: { headers: Record<string, string>; idleTimeoutMs: number; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData['body']> {
    const url = this.resolve(target);
    const response = await this.#dispatch(url, {
      method: 'GET',
      headers: { ...options.headers, ...this.#headers() },
      bodyTimeout: options.idleTimeoutMs,
      headersTimeout: this.#options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      signal: options.signal,
    });
    const { body } = response;
    const isOk = response.statusCode === 200;
    const type = [response.headers['content-type']].flat()[0] ?? 'text/event-stream';
    if (isOk && isEventStream(type)) return body;
    const request = { method: 'GET', url, signal: options.signal };
    try {
      if (!isOk) throw await this.#inTime(request, async () => this.#readRefusal(response));
    } finally {
      // The error of an unread body that is destroyed would end the process.
      body.once('error', () => undefined).destroy();
    }
    const got = cutText(this.#options.apiKey.hideIn(type), MAX_SHOWN_TYPE);
    throw unreadable(`is not an event stream, but ${got}`);
  }

  /** Returns the absolute URL of a target. One with another origin is refused before anything is sent to it. */
  resolve(target: string): URL {
    const url = target.startsWith('/') ? new URL(`${this.#options.baseUrl}${target}`) : new URL(target);
    if (url.origin !== this.#origin) {
      throw new ConnectionError(
        `The orchestrator at ${this.#origin} returned a URL at ${url.origin}. The API key is sent only to its own origin. If the orchestrator is behind a proxy, start it with your baseUrl as its publicUrl (svc orchestrator --public-url).`,
        {
          code: 'HTTP_FOREIGN_ORIGIN',
          details: { expected: this.#origin, given: url.origin },
          isTransient: false,
        },
      );
    }
    return url;
  }

  /** Closes every connection. Closing twice is safe. */
  async close(): Promise<void> {
    const pool = await this.#connect();
    await pool.destroy();
  }

  /** Sends a request once; the caller's abort takes effect as late as the request allows. */
  async #sendAndWait(request: JsonRequest<z.ZodType>, url: URL, body: string | undefined): Promise<string> {
    const { late: signal, stop } = abortLater(request.signal, request.lingerMs ?? 0);
    try {
      return await this.#sendOnce({ ...request, signal }, url, body);
    } finally {
      stop();
    }
  }

  async #sendOnce(request: JsonRequest<z.ZodType>, url: URL, body: string | undefined): Promise<string> {
    return this.#inTime({ method: request.method, url, signal: request.signal }, async (signal) => {
      // The headers are in no variable: some monitoring reports those of whatever throws, and they contain the key.
      const response = await this.#dispatch(url, {
        method: request.method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
          ...this.#headers(),
        },
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(body === undefined ? {} : { body }),
      });
      if (response.statusCode < 200 || response.statusCode > 299) throw await this.#readRefusal(response);
      return readText(response.body);
    });
  }

  /** Runs the work of a request within the time limit. */
  async #inTime<Result>(
    request: { readonly method: string; readonly url: URL; readonly signal: AbortSignal | undefined },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { method, url, signal } = request;
    const timeoutMs = this.#options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    const createError = () =>
      new ConnectionError(
        `The orchestrator did not answer ${method} ${url.pathname} within ${timeoutMs} ms.`,
        {
          code: 'HTTP_TIMEOUT',
          details: { timeout_ms: timeoutMs },
          isTransient: true,
        },
      );
    return withDeadline({ timeoutMs, signal, createError }, work);
  }

  /** Returns the connections. Their library is loaded on first use: it takes a third of the time to load the package. */
  #connect(): Promise<ConnectionPool> {
    return (this.#pool ??= createConnectionPool());
  }

  async #dispatch(
    url: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  ): Promise<Dispatcher.ResponseData> {
    try {
      const pool = await this.#connect();
      return await pool.request({
        ...options,
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
      });
    } catch (error) {
      throw explainConnectionFailure(error, this.#origin);
    }
  }

  async #readRefusal(response: Dispatcher.ResponseData): Promise<Error> {
    const retryAfter = response.headers['retry-after'];
    return readHttpError({
      statusCode: response.statusCode,
      text: await readText(response.body),
      hide: (text) => this.#options.apiKey.hideIn(text),
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      now: this.#options.runtime.now(),
    });
  }

  #headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.#options.apiKey.reveal()}`,
      'user-agent': `svc-core/${VERSION}`,
    };
  }
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_RESPONSE_BYTES) throw unreadable(`is larger than ${MAX_RESPONSE_BYTES} bytes`);
      chunks.push(bytes);
    }
  } catch (error) {
    throw explainConnectionFailure(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseResponse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let json: unknown = {};
  try {
    if (text.trim() !== '') json = JSON.parse(text);
  } catch {
    // Without its cause: the message of JSON.parse quotes the beginning of the response, which may contain anything.
    throw unreadable('is not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || '(whole)').join(', ');
  throw unreadable(`does not have the expected shape (${fields})`, parsed.error);
}

function unreadable(why: string, cause?: unknown): ConnectionError {
  return new ConnectionError(
    `The orchestrator's response ${why}. Check baseUrl, and proxies in front of the orchestrator.`,
    { code: 'HTTP_INVALID_RESPONSE', cause, isTransient: false },
  );
}
