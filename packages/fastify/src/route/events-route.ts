import { Http2ServerResponse } from 'node:http2';
import type { Audience } from '@svc/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type MountSettings, readAudience } from '../mount-options.js';
import type { OpenStreams } from '../streams/open-streams.js';
import { cutUnlessSent, type StreamWriter } from '../streams/stream-writer.js';
import { acceptsEventStream } from './accepts-event-stream.js';
import { admit } from './admit.js';
import { findBridge } from './find-bridge.js';
import { isAborted, logFailure } from './is-aborted.js';
import { refuse, type RefusalCode } from './refusal.js';
import { isWellFormed, requestCursor } from './request-cursor.js';

/** No proxy between the server and the reader may cache, change or buffer the stream. */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A request for a stream, and its reply. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sessionId: string;
  readonly cursor: string | undefined;
}

/** Answers `GET` on a session's events with the stream, with 204 if nothing is left to read, or with a refusal. */
export class EventsRoute {
  readonly #settings: MountSettings;
  readonly #streams: OpenStreams;

  constructor(settings: MountSettings, streams: OpenStreams) {
    this.#settings = settings;
    this.#streams = streams;
  }

  readonly handle = async (
    request: FastifyRequest<{ Params: { sessionId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { sessionId } = request.params;
    const exchange = { request, reply, sessionId, cursor: requestCursor(request) };
    const answer = await this.#answer(exchange);
    // The stream has begun.
    if (answer === undefined) return reply;
    // An HTTP/2 stream that its caller resets without an error waits to be sent, even after the connection is lost.
    if (reply.raw instanceof Http2ServerResponse) cutUnlessSent(reply.raw);
    // The app's `handlerTimeout` answers; `onSend` hooks may delay that answer.
    if (isAborted(request)) return reply;
    // A closing server has looked for idle connections already, and would wait for this one. HTTP/2 has no such header.
    if (this.#streams.isDraining && request.raw.httpVersionMajor < 2) reply.header('connection', 'close');
    return answer === 'ENDED'
      ? reply.code(204).header('cache-control', 'no-store').send()
      : refuse(reply, answer);
  };

  /** Opens the stream if the caller may read it, or returns why there is none. */
  async #answer(exchange: Exchange): Promise<RefusalCode | 'ENDED' | undefined> {
    const { request, sessionId } = exchange;
    const { places } = this.#streams;
    const refusal =
      this.#refusal(exchange) ?? (await admit(request, sessionId, this.#settings)) ?? places.take(sessionId);
    if (refusal !== undefined) return refusal;
    const answer = await this.#open(exchange).catch((error: unknown) => {
      logFailure(request, error, 'failed to open the event stream');
      return 'INTERNAL_ERROR' as const;
    });
    if (answer !== undefined) places.leave(sessionId);
    return answer;
  }

  #refusal({ request, sessionId, cursor }: Exchange): RefusalCode | undefined {
    if (this.#streams.isDraining) return 'DRAINING';
    if (sessionId.trim() === '' || !isWellFormed(sessionId)) return 'INVALID_SESSION_ID';
    if (cursor !== undefined && !isWellFormed(cursor)) return 'INVALID_CURSOR';
    return acceptsEventStream(request.headers.accept) ? undefined : 'NOT_ACCEPTABLE';
  }

  /** Opens the stream, which gives back the reader's place when it ends, or returns why there is none. */
  async #open(exchange: Exchange): Promise<RefusalCode | 'ENDED' | undefined> {
    const { request, reply, sessionId, cursor } = exchange;
    const { registry, audience } = this.#settings;
    // The caller may have left during `authorize`; then no bridge is created.
    if (isGone(exchange)) return 'ENDED';
    if (this.#streams.isDraining) return 'DRAINING';
    const bridge = await findBridge(request, sessionId, this.#settings);
    if (typeof bridge === 'string') return bridge;
    const options = { audience: await audienceOf(request, audience), lastEventId: cursor };
    // It may have left since; a closed response does not say so again, and the log may not answer.
    if (isGone(exchange)) return 'ENDED';
    const messages = { request: request.raw, response: reply.raw };
    const reader = bridge && (await this.#streams.openReader(bridge, { ...options, ...messages }));
    if (reader?.failure !== undefined) throw reader.failure;
    const { isDraining } = this.#streams;
    const hasEnded = reader?.isEnded || (!reader?.hasSession && registry.hasEnded(sessionId));
    if (isDraining || hasEnded || isGone(exchange)) {
      reader?.close();
      return isDraining ? 'DRAINING' : 'ENDED';
    }
    if (reader === undefined && this.#streams.waitingRoom.isFull) return 'TOO_MANY_WAITING';
    try {
      writeHead(reply);
    } catch (error) {
      reader?.close();
      throw error;
    }
    const writer = this.#connect(exchange);
    if (reader !== undefined) writer.attach(reader);
    else {
      writer.greet();
      this.#streams.waitingRoom.enter({ writer, options });
    }
    return undefined;
  }

  #connect({ request, reply, sessionId }: Exchange): StreamWriter {
    reply.hijack();
    const writer = this.#streams.open({ sessionId, response: reply.raw, log: request.log });
    // An HTTP/2 stream that its reader resets without an error stays open until the waiting bytes are sent, to nobody. On
    // the next tick, because a stream that the writer itself ends is aborted too, before it is done. A pipelined response
    // has no connection to report its end until the responses before it are done.
    if (reply.raw instanceof Http2ServerResponse || reply.raw.socket === null)
      request.raw.once('aborted', () => process.nextTick(() => writer.abandon()));
    return writer;
  }
}

async function audienceOf(request: FastifyRequest, setting: MountSettings['audience']): Promise<Audience> {
  return typeof setting === 'function' ? readAudience(await setting(request)) : setting;
}

/**
 * Whether the reader is gone. A pipelined response has no connection yet, but its request has one; that of an HTTP/2
 * request is its stream.
 */
function isGone({ request, reply: { raw } }: Exchange): boolean {
  return isAborted(request) || raw.destroyed || request.raw.socket.destroyed;
}

/**
 * Writes the head, including headers set by the app's hooks, such as those for CORS. The reply is still Fastify's, so a
 * request whose head cannot be written can be refused.
 */
function writeHead(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, headers);
}
