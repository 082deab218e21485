import { Http2ServerResponse } from 'node:http2';
import type { Audience } from '@svc/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertAudience, type MountSettings } from '../mount-options.js';
import type { OpenStreams } from '../streams/open-streams.js';
import type { StreamWriter } from '../streams/stream-writer.js';
import { acceptsEventStream } from './accepts-event-stream.js';
import { admit } from './admit.js';
import { findBridge } from './find-bridge.js';
import { refuse, type RefusalCode } from './refusal.js';
import { isWellFormed, requestCursor } from './request-cursor.js';

/** Nobody between the server and the reader may keep, change or collect the stream. */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A request that may have its stream. */
interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sessionId: string;
  readonly cursor: string | undefined;
}

/** Answers `GET` on the events of a session: with its stream, with 204 when there is nothing left, or with a refusal. */
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
    const visit = { request, reply, sessionId, cursor: requestCursor(request) };
    const answer = await this.#answer(visit);
    // The stream has begun; or the app's `handlerTimeout` answers.
    if (answer === undefined || isTimedOut(request)) return reply;
    // A closing server has looked for idle connections already, and would wait for this one. HTTP/2 has no such header.
    if (this.#streams.isDraining && request.raw.httpVersionMajor < 2) reply.header('connection', 'close');
    return answer === 'ENDED'
      ? reply.code(204).header('cache-control', 'no-store').send()
      : refuse(reply, answer);
  };

  /** Opens the stream of a caller that may have it; or says why there is none. */
  async #answer(visit: Visit): Promise<RefusalCode | 'ENDED' | undefined> {
    const { request, sessionId } = visit;
    const { places } = this.#streams;
    const refusal =
      this.#refusal(visit) ?? (await admit(request, sessionId, this.#settings)) ?? places.take(sessionId);
    if (refusal !== undefined) return refusal;
    const answer = await this.#open(visit).catch((error: unknown) => {
      request.log.error({ err: error }, 'the event stream could not be opened');
      return 'INTERNAL_ERROR' as const;
    });
    if (answer !== undefined) places.leave(sessionId);
    return answer;
  }

  #refusal({ request, sessionId, cursor }: Visit): RefusalCode | undefined {
    if (this.#streams.isDraining) return 'DRAINING';
    if (sessionId.trim() === '' || !isWellFormed(sessionId)) return 'INVALID_SESSION_ID';
    if (cursor !== undefined && !isWellFormed(cursor)) return 'INVALID_CURSOR';
    return acceptsEventStream(request.headers.accept) ? undefined : 'NOT_ACCEPTABLE';
  }

  /** Opens the stream, which gives the place back that was taken; or says why there is none. */
  async #open(visit: Visit): Promise<RefusalCode | 'ENDED' | undefined> {
    const { request, reply, sessionId, cursor } = visit;
    const { registry, audience } = this.#settings;
    // `authorize` may have taken its time: nobody is left for whom a bridge could be made.
    if (isGone(visit)) return 'ENDED';
    if (this.#streams.isDraining) return 'DRAINING';
    if (registry.hasEnded(sessionId)) return 'ENDED';
    const bridge = await findBridge(request, sessionId, this.#settings);
    if (typeof bridge === 'string') return bridge;
    const wish = { audience: await audienceOf(request, audience), lastEventId: cursor };
    const reader = bridge && (await this.#streams.openReader(bridge, wish));
    if (reader?.failure !== undefined) throw reader.failure;
    if (this.#streams.isDraining) {
      reader?.close();
      return 'DRAINING';
    }
    if (reader?.isEnded || isGone(visit)) {
      reader?.close();
      return 'ENDED';
    }
    if (reader === undefined && this.#streams.waitingRoom.isFull) return 'TOO_MANY_WAITING';
    try {
      writeHead(reply);
    } catch (error) {
      reader?.close();
      throw error;
    }
    const writer = this.#connect(visit);
    if (reader !== undefined) writer.attach(reader);
    else {
      writer.greet();
      this.#streams.waitingRoom.enter({ writer, wish });
    }
    return undefined;
  }

  #connect({ request, reply, sessionId }: Visit): StreamWriter {
    reply.hijack();
    const writer = this.#streams.open({ sessionId, response: reply.raw, log: request.log });
    // An HTTP/2 stream that its reader resets without an error stays until what waits has been sent, which nobody takes
    // any more. On the next tick, because a stream that the writer itself ends is aborted too, before it is done. And a
    // pipelined response has no connection whose end it would hear of until those before it are done.
    if (reply.raw instanceof Http2ServerResponse || reply.raw.socket === null)
      request.raw.once('aborted', () => process.nextTick(() => writer.end()));
    return writer;
  }
}

async function audienceOf(request: FastifyRequest, given: MountSettings['audience']): Promise<Audience> {
  const audience = typeof given === 'function' ? await given(request) : given;
  assertAudience(audience);
  return audience;
}

/** Whether the app's `handlerTimeout` answers, which takes hooks on `onSend` a while. Older apps have no signal. */
function isTimedOut({ signal }: { signal?: AbortSignal }): boolean {
  return signal?.aborted === true;
}

/**
 * Whether nobody waits for the stream any more. A pipelined response has no connection yet that could be gone, but its
 * request has; that of an HTTP/2 request is its stream.
 */
function isGone({ request, reply: { raw } }: Visit): boolean {
  return isTimedOut(request) || raw.destroyed || request.raw.socket.destroyed;
}

/**
 * Writes the head with what the app's hooks have set, such as CORS headers. The reply is still Fastify's: a head that
 * cannot be written can be refused.
 */
function writeHead(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, headers);
}
