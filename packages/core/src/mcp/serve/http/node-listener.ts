import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamOf } from '../../transport/stream-of.js';
import { MAX_BODY_BYTES } from './read-messages.js';
import { refuse } from './refuse.js';

/**
 * Answers a request of a Node.js HTTP server with a web-standard handler. `parsedBody` is the body that a framework has
 * already read. Rejects if the request cannot be handled, and does not answer it then.
 */
export async function answerNodeRequest(
  answer: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  parsedBody?: unknown,
): Promise<void> {
  // A client that left before, such as while it was authenticated, emits no close any more.
  if (outgoing.destroyed) return;
  const disconnected = new AbortController();
  outgoing.once('close', () => disconnected.abort(new Error('The client disconnected.')));
  try {
    const tooLarge = Promise.withResolvers<Response>();
    const body =
      parsedBody === undefined
        ? streamOf(readBody(incoming, () => tooLarge.resolve(refuseTooLarge())))
        : JSON.stringify(parsedBody);
    const request = createRequest(incoming, body, disconnected.signal);
    const response =
      request === undefined
        ? new Response(null, { status: 400 })
        : await Promise.race([tooLarge.promise, answer(request)]);
    outgoing.setHeaders(response.headers).writeHead(response.status).flushHeaders();
    if (response.body) await send(response.body, outgoing, disconnected.signal);
    else outgoing.end();
  } catch (error) {
    // A disconnecting client is not an error.
    if (!disconnected.signal.aborted) throw error;
  }
}

/** Writes a body; unlike `pipeline` of Node.js, it releases the body of a disconnected client even while it is idle. */
async function send(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const write = async (chunk: Uint8Array) => {
    if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal });
  };
  const sink = { write, close: () => void outgoing.end(), abort: () => void outgoing.destroy() };
  await body.pipeTo(new WritableStream(sink), { signal });
}

function refuseTooLarge(): Response {
  // The rest of the body precedes the next request on this connection, which must not wait for it.
  return refuse(413, `The request has more than ${MAX_BODY_BYTES} bytes.`, { connection: 'close' });
}

/** Returns the body, which is read lazily: for a request refused by its headers, it is never read. */
async function* readBody(incoming: IncomingMessage, onTooLarge: () => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      onTooLarge();
      throw new Error(`The body must not be larger than ${MAX_BODY_BYTES} bytes.`);
    }
    yield bytes;
  }
}

/** Converts the request to a web-standard one; undefined for an invalid URL, host or method. */
function createRequest(
  incoming: IncomingMessage,
  body: string | ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Request | undefined {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const method = incoming.method ?? 'GET';
  const isPlain = method === 'GET' || method === 'HEAD';
  try {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
    return new Request(url, { method, headers, signal, ...(isPlain ? {} : { body, duplex: 'half' }) });
  } catch {
    // The sender gets a 400 response.
    return undefined;
  }
}
