import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The faults of one response. Byte counts refer to the body as sent by the server. */
export interface Chaos {
  /** Destroys the connection after this many bytes. */
  readonly cutAtByte?: number;
  /** Ends the server's side after this many bytes, in the middle of the response. */
  readonly halfCloseAtByte?: number;
  /** Forwards nothing for `stallMs` after this many bytes. */
  readonly stallAtByte?: number;
  /** How long to stall, in milliseconds. @default 100 */
  readonly stallMs?: number;
  /** Sends every complete frame twice. */
  readonly duplicatesFrames?: boolean;
  /** Writes the body in chunks of this many bytes. */
  readonly chunkBytes?: number;
}

/** The request that a plan chooses faults for. */
export interface ChaosRequest {
  /** The number of the request, from 0. */
  readonly index: number;
  readonly path: string;
  readonly lastEventId: string | undefined;
}

/** A proxy that injects faults between a client and a server. */
export interface ChaosProxy extends AsyncDisposable {
  /** The URL of the proxy, without a path. */
  readonly url: string;
  /** The requests so far. */
  readonly requests: readonly ChaosRequest[];
  /** Closes all connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a fault-injecting proxy in front of an HTTP server.
 *
 * @example
 * const proxy = await chaosProxy(server.url, ({ index }) => (index === 0 ? { cutAtByte: 700 } : {}));
 */
export async function chaosProxy(
  target: string | URL,
  plan: (request: ChaosRequest) => Chaos,
): Promise<ChaosProxy> {
  const requests: ChaosRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url: path = '/', headers } = incoming;
    const lastEventId = headers['last-event-id'];
    const request = { index: requests.length, path, lastEventId: lastEventId?.toString() };
    requests.push(request);
    forward(incoming, outgoing, new URL(path, target), plan(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => closeServer(server);
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: URL, chaos: Chaos): void {
  const { host: _, ...headers } = incoming.headers;
  const upstream = sendRequest(url, { method: incoming.method, headers }, (response) => {
    const { 'transfer-encoding': _coding, 'content-length': _length, ...kept } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, kept);
    outgoing.flushHeaders();
    // Both sides may break off at any time; that is what the proxy is for.
    passBody(response, outgoing, chaos).catch(() => outgoing.destroy());
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

async function passBody(response: IncomingMessage, outgoing: ServerResponse, chaos: Chaos): Promise<void> {
  let passed = 0;
  if (await breaksOff(passed, outgoing, chaos)) return;
  for await (const { bytes, copy } of piecesOf(response, chaos)) {
    await written(outgoing, bytes);
    if (copy !== undefined) await written(outgoing, copy);
    // After a turn of the event loop, each piece is most likely a separate packet.
    if (chaos.chunkBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
    passed += bytes.length;
    // Not before the next piece: that may be long in coming.
    if (await breaksOff(passed, outgoing, chaos)) return;
  }
  outgoing.end();
}

/** Injects the faults due after this many bytes. Resolves to whether the response breaks off there. */
async function breaksOff(passed: number, outgoing: ServerResponse, chaos: Chaos): Promise<boolean> {
  if (passed === chaos.stallAtByte) await waitMs(chaos.stallMs ?? 100);
  if (passed === chaos.cutAtByte) outgoing.destroy();
  else if (passed === chaos.halfCloseAtByte) outgoing.socket?.end();
  else return false;
  return true;
}

interface Piece {
  readonly bytes: Buffer;
  /** The frame that ends with these bytes, to be sent again. */
  readonly copy?: Buffer;
}

/** Splits the body into pieces that end wherever a fault is due. */
async function* piecesOf(body: AsyncIterable<Buffer>, chaos: Chaos): AsyncGenerator<Piece> {
  const { chunkBytes, duplicatesFrames } = chaos;
  const places = [chaos.cutAtByte, chaos.halfCloseAtByte, chaos.stallAtByte].filter((at) => at !== undefined);
  const isPlain = places.length === 0 && chunkBytes === undefined && !duplicatesFrames;
  let at = 0;
  const frame: Buffer[] = [];
  for await (const bytes of body) {
    if (isPlain) {
      yield { bytes };
      continue;
    }
    let start = 0;
    while (start < bytes.length) {
      const frameEnd = duplicatesFrames ? endOfFrame(frame, bytes, start) : undefined;
      const ends = places.filter((place) => place > at).map((place) => start + place - at);
      const limits = [
        bytes.length,
        ...ends,
        ...(chunkBytes ? [start + chunkBytes] : []),
        ...(frameEnd ? [frameEnd] : []),
      ];
      const end = Math.min(...limits);
      const piece = bytes.subarray(start, end);
      at += piece.length;
      frame.push(piece);
      start = end;
      if (end !== frameEnd) yield { bytes: piece };
      else yield { bytes: piece, copy: Buffer.concat(frame.splice(0)) };
    }
  }
}

/** The end of the frame that these pieces started; undefined if it does not end in the bytes. */
function endOfFrame(frame: readonly Buffer[], bytes: Buffer, start: number): number | undefined {
  const last = frame.at(-1);
  if (bytes[start] === 0x0a && last?.at(-1) === 0x0a) return start + 1;
  const found = bytes.indexOf('\n\n', start);
  return found < 0 ? undefined : found + 2;
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Resolves when the bytes were sent to the client, so that destroying the connection next does not lose them. */
function written(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
