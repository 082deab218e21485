// By its file: Bun has a module of its own for the bare name, which would not ask `publicLookup`.
import { Agent, fetch, type Dispatcher } from 'undici/index.js';
import { publicLookup, refusePrivateHost, type Lookup } from './refuse-private-addresses.js';
import { SystemToolError } from './system-tool-error.js';

/** The limits on outgoing requests of system tools. */
export interface GuardedFetchOptions {
  /** Allows requests to this machine and private networks. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Time limit of one request including its redirects, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of a response, in bytes. @default 1_048_576 (1 MiB) */
  readonly maxBytes?: number | undefined;
  /** Resolves host names. @default the system's resolver */
  readonly lookup?: Lookup | undefined;
}

/** A GET request. Its headers are sent only to its own host. */
export interface GuardedRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardedResponse {
  readonly status: number;
  readonly text: string;
}

const maxRedirects = 3;

const failed = (message: string, retryable: boolean, cause?: unknown) =>
  new SystemToolError(message, {
    code: 'SEARCH_FAILED',
    retryable,
    ...(cause === undefined ? {} : { cause }),
  });

async function readBounded(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw failed(`The response is longer than ${maxBytes} bytes.`, false);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A refused address is in the causes of a failed connection. */
function refusalIn(error: unknown): SystemToolError | undefined {
  for (
    let inner: unknown = error, depth = 0;
    inner instanceof Error && depth < 5;
    inner = inner.cause, depth += 1
  )
    if (inner instanceof SystemToolError) return inner;
  return undefined;
}

/** Sends requests to public addresses only, including redirects, within limits on time and size. */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions;
  readonly #dispatcher: Agent;

  constructor(options: GuardedFetchOptions = {}) {
    this.#options = options;
    const lookup = publicLookup(options.lookup);
    this.#dispatcher = new Agent({ connect: options.allowPrivateAddresses ? {} : { lookup } });
  }

  /** @throws SystemToolError when the host is refused or does not answer as expected */
  async send(request: GuardedRequest, signal: AbortSignal): Promise<GuardedResponse> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? 10_000);
    try {
      return await this.#follow(request, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw failed(`${request.url.host} did not answer in time.`, true);
      throw refusalIn(error) ?? failed(`${request.url.host} cannot be reached.`, true, error);
    }
  }

  async #follow(request: GuardedRequest, signal: AbortSignal): Promise<GuardedResponse> {
    let { url } = request;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw failed(`${url.protocol} is not supported; a search uses http: or https:.`, false);
      if (!this.#options.allowPrivateAddresses) refusePrivateHost(url);
      // Keys are for the configured host only.
      const isOwnHost = url.origin === request.url.origin;
      const response = await fetch(url, {
        headers: isOwnHost ? (request.headers ?? {}) : {},
        redirect: 'manual',
        signal,
        dispatcher: this.#dispatcher as Dispatcher,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return {
          status: response.status,
          text: await readBounded(response.body, this.#options.maxBytes ?? 1_048_576),
        };
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw failed(`${request.url.host} redirects too often.`, false);
  }
}
