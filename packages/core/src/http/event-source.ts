import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Logger } from '../logging/logger.js';
import type { Runtime } from '../runtime.js';
import { explainConnectionFailure } from './connection-failure.js';
import { ConnectionError, MaivnHTTPError, PlanLimitExceededError } from './errors.js';
import type { HttpClient } from './http-client.js';
import { backoffMs } from './retry.js';
import { SeenIds } from './seen-ids.js';

/** One event of an orchestrator's stream. */
export interface ServerEvent {
  id: string | undefined;
  name: string;
  payload: unknown;
  /** Set if the same event was yielded before. */
  isRepeated?: true;
}

/** Options of {@link readEvents}. */
export interface EventSourceOptions {
  http: HttpClient;
  url: string;
  runtime: Runtime;
  logger: Logger;
  signal: AbortSignal;
  /** Called after the stream ended cleanly, or broke and cannot be resumed; `false` stops reading. */
  mayReconnect: () => boolean;
  /** How long the stream may be silent before it counts as broken, in milliseconds. @default 45000 */
  idleTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 45_000;
/** With the delays below, this bridges a restart of 15 seconds. */
const MAX_FRUITLESS_ATTEMPTS = 12;
/** A connection that lived for this time was not fruitless, unless it fell silent for good, in milliseconds. */
const LASTING_MS = 10_000;
const RECONNECT = { baseDelayMs: 100, maxDelayMs: 5_000 };
/** The longest wait that a service can ask for, in milliseconds. */
const MAX_REQUESTED_DELAY_MS = 30_000;
/** The largest incomplete frame that is buffered, in characters. */
const MAX_FRAME_LENGTH = 16 * 1024 * 1024;

/**
 * Reads a stream of server-sent events and, if it breaks, reconnects after the last seen id. A repeated event is marked.
 * An orchestrator whose store has lost events gives their ids to others. A stream that sent events without ids cannot be
 * resumed and fails.
 */
export async function* readEvents(options: EventSourceOptions): AsyncGenerator<ServerEvent, void, void> {
  const { runtime, signal, logger } = options;
  const seen = new SeenIds();
  let lastId: string | undefined;
  let hasReceived = false;
  for (let attempt = 1; ; attempt++) {
    let failure: unknown;
    let isOpen = false;
    // From the request on: a proxy that ends it after ten seconds counts from before the response is seen here.
    const requestedAt = runtime.monotonicMs();
    const hasLasted = () => isOpen && runtime.monotonicMs() - requestedAt >= LASTING_MS;
    try {
      const body = await open(options, lastId);
      isOpen = true;
      for await (const message of readMessages(body, logger)) {
        const event = decodeMessage(message);
        // A heartbeat has no id and nothing that could be missed.
        hasReceived ||= event.name !== 'heartbeat';
        // A proxy may end every connection after a while, and a run may be silent for longer than all of them.
        if (hasLasted()) attempt = 0;
        if (event.id !== undefined && event.id !== '') {
          if (!seen.add(event.id, `${event.name}\n${message.data}`)) {
            yield { ...event, isRepeated: true };
            continue;
          }
          lastId = event.id;
          attempt = 0;
        }
        yield event;
      }
      if (!options.mayReconnect()) return;
      failure = streamLost('The orchestrator closed the event stream before the run ended', true);
    } catch (error) {
      signal.throwIfAborted();
      if (!isRetryable(error)) throw error;
      failure = error;
    }
    // A proxy may also end it before the first heartbeat. One that was silent until it counted as broken may be buffered.
    if (hasLasted() && !isSilence(failure)) attempt = 0;
    if (hasReceived && lastId === undefined) {
      if (!options.mayReconnect()) return;
      throw streamLost(
        'The event stream broke and cannot be resumed, because its events have no ids',
        false,
        failure,
      );
    }
    if (attempt >= MAX_FRUITLESS_ATTEMPTS) {
      const advice = isOpen ? '. If a proxy ends or buffers it, `svc doctor` says so' : '';
      throw streamLost(
        `The event stream broke ${attempt} times without a new event${advice}`,
        false,
        failure,
      );
    }
    // Also if it asks for no wait: all attempts would be used up at once.
    const delayMs = retryAfter(failure) || backoffMs(Math.max(1, attempt), runtime.random(), RECONNECT);
    logger.info('The event stream was interrupted; reconnecting.', {
      attempt,
      delay_ms: Math.round(delayMs),
    });
    await runtime.sleep(delayMs, signal);
  }
}

type StreamBody = Awaited<ReturnType<HttpClient['openStream']>>;

function open(
  { http, url, idleTimeoutMs, signal }: EventSourceOptions,
  lastId?: string,
): Promise<StreamBody> {
  const start = startAfter(lastId, http.resolve(url));
  return http.openStream(start.url.href, {
    headers: { accept: 'text/event-stream', ...start.headers },
    idleTimeoutMs: idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    signal,
  });
}

async function* readMessages(
  body: StreamBody,
  logger: Logger,
): AsyncGenerator<EventSourceMessage, void, void> {
  const decoder = new TextDecoder();
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => ready.push(message),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw frameTooLarge();
      logger.debug('Skipped an invalid line of the event stream.', { kind: error.type });
    },
    maxBufferSize: MAX_FRAME_LENGTH,
  });
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(Buffer.from(chunk), { stream: true }));
      yield* ready.splice(0);
    }
  } catch (error) {
    throw explainConnectionFailure(error);
  } finally {
    body.destroy();
  }
}

/** Asks for the events after an id: in a header, or in the query if a header would lose some of it, such as a space. */
function startAfter(lastId: string | undefined, url: URL): { url: URL; headers: Record<string, string> } {
  if (lastId === undefined) return { url, headers: {} };
  if (/^[!-~]+$/.test(lastId)) return { url, headers: { 'last-event-id': lastId } };
  url.searchParams.set('last_event_id', lastId);
  return { url, headers: {} };
}

/** Decodes a message; text that is not JSON becomes `{raw: text}`, as in the original. */
function decodeMessage({ id, event, data }: EventSourceMessage): ServerEvent {
  let payload: unknown = {};
  try {
    if (data.trim() !== '') payload = JSON.parse(data);
  } catch {
    payload = { raw: data.trim() };
  }
  return { id, name: event?.trim() || 'message', payload };
}

function isRetryable(error: unknown): boolean {
  if (error instanceof PlanLimitExceededError) return false;
  if (error instanceof MaivnHTTPError) return error.statusCode >= 500 || error.statusCode === 429;
  return error instanceof ConnectionError && error.isTransient;
}

/** Whether a connection was given up because nothing arrived. */
function isSilence(error: unknown): boolean {
  return error instanceof ConnectionError && error.details?.['reason'] === 'UND_ERR_BODY_TIMEOUT';
}

function retryAfter(error: unknown): number | undefined {
  const requestedMs = error instanceof MaivnHTTPError ? error.retryAfterMs : undefined;
  return requestedMs === undefined ? undefined : Math.min(requestedMs, MAX_REQUESTED_DELAY_MS);
}

function streamLost(what: string, isTransient: boolean, cause?: unknown): ConnectionError {
  return new ConnectionError(`${what}.`, { code: 'HTTP_STREAM_LOST', cause, isTransient });
}

function frameTooLarge(): ConnectionError {
  return new ConnectionError(`The orchestrator sent an event of more than ${MAX_FRAME_LENGTH} characters.`, {
    code: 'HTTP_FRAME_TOO_LARGE',
    isTransient: false,
  });
}
