import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamOf } from '../transport/stream-of.js';

/** The largest request that is read, in bytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Lets Node's own HTTP server use what answers web-standard requests. A body that a framework has read is handed in. */
export async function answerNodeRequest(
  answer: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  parsedBody?: unknown,
): Promise<void> {
  const leave = new AbortController();
  outgoing.once('close', () => leave.abort(new Error('The client went away.')));
  try {
    const tooLarge = Promise.withResolvers<Response>();
    const body =
      parsedBody === undefined
        ? streamOf(readBody(incoming, () => tooLarge.resolve(refuseTooLarge())))
        : JSON.stringify(parsedBody);
    const request = createRequest(incoming, body, leave.signal);
    const response =
      request === undefined
        ? new Response(null, { status: 400 })
        : await Promise.race([tooLarge.promise, answer(request)]);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body) await send(response.body, outgoing, leave.signal);
    else outgoing.end();
  } catch (error) {
    // That a client leaves is no failure.
    if (!leave.signal.aborted) throw error;
  }
}

/** Unlike `pipeline` of Node it lets go of a body whose client left, also while nothing comes of it. */
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
  // What is left of it stands before the next request on this connection, which must not wait for it.
  return new Response(null, { status: 413, headers: { connection: 'close' } });
}

/** The body, of which nothing is read before somebody asks for it: who is refused by the headers has sent it in vain. */
async function* readBody(incoming: IncomingMessage, onTooLarge: () => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      onTooLarge();
      throw new Error(`The body has more than ${MAX_BODY_BYTES} bytes.`);
    }
    yield bytes;
  }
}

/** The request in the web's terms; undefined when they have no such address, host or method, which anybody may send. */
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
    // What is wrong with it is its sender's affair, who is told that it is bad.
    return undefined;
  }
}
