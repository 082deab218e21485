import { encodeFrame } from '@svc/contracts/sse';
import { LONGEST_CURSOR } from './cursor.js';
import type { EventReader } from './event-reader.js';
import { firstAbort } from './first-abort.js';
import { keepAliveFrame, readWithin } from './sse-stream.js';

/** The options of a response. */
export interface StreamResponseOptions {
  /** The cursor to use instead of the request's. */
  readonly lastEventId: string | undefined;
  readonly heartbeatIntervalMs: number;
  readonly signal: AbortSignal | undefined;
  readonly open: (reader: { lastEventId: string | undefined; signal: AbortSignal }) => Promise<EventReader>;
}

// eslint-disable-next-line no-control-regex -- control characters are what the test is for
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** No proxy between the server and the reader may cache, change or buffer the stream. */
const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** The headers of an answer without a stream. */
const noStream = { 'cache-control': 'no-store' };

/** Returns a reader's events as a response, read only as fast as the client consumes it. */
export async function streamResponse(request: Request, options: StreamResponseOptions): Promise<Response> {
  const lastEventId = options.lastEventId ?? cursorOf(request);
  if (
    lastEventId !== undefined &&
    (lastEventId.length > LONGEST_CURSOR || controlCharacter.test(lastEventId))
  ) {
    const message = `The cursor is longer than ${LONGEST_CURSOR} characters or contains control characters`;
    return Response.json({ code: 'INVALID_CURSOR', message }, { status: 400, headers: noStream });
  }
  if (request.method === 'HEAD') return new Response(null, { headers });
  const { signal, detach } = firstAbort([request.signal, options.signal]);
  try {
    const reader = await options.open({ lastEventId, signal });
    // After an abort the session may go on, and a client never reconnects after 204.
    if (!reader.isEnded || reader.failure !== undefined || signal.aborted)
      return new Response(bodyOf(reader, options.heartbeatIntervalMs, detach), { headers });
  } catch (error) {
    detach();
    throw error;
  }
  detach();
  return new Response(null, { status: 204, headers: noStream });
}

/**
 * The cursor of a request, read as a route of `@svc/fastify` does. Browsers write ids into the header as UTF-8, and
 * servers read headers as Latin-1.
 */
function cursorOf(request: Request): string | undefined {
  const header = request.headers.get('last-event-id');
  if (header !== null && header.trim() !== '') return Buffer.from(header, 'latin1').toString('utf8');
  return new URL(request.url).searchParams.get('last_event_id') || undefined;
}

/** The body; `onEnd` is called when reading stops. */
function bodyOf(
  reader: EventReader,
  heartbeatIntervalMs: number,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isFirst) {
          // Sends bytes at once, so that proxies and clients see the stream before its first event.
          isFirst = false;
          controller.enqueue(encoder.encode(encodeFrame({ comment: 'open' })));
          return;
        }
        const bytes = await readWithin(heartbeatIntervalMs, reader);
        // The reader's bytes are shared, and a consumer of the response may transfer its chunk.
        if (bytes !== undefined) return controller.enqueue(new Uint8Array(bytes));
        if (!reader.isEnded) return controller.enqueue(encoder.encode(keepAliveFrame()));
        onEnd();
        if (reader.failure !== undefined) controller.error(reader.failure);
        else controller.close();
      },
      cancel() {
        reader.close();
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}
