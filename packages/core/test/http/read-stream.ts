import type { ServerResponse } from 'node:http';
import { ApiKey } from '../../src/config/api-key.js';
import { readEvents, type ServerEvent } from '../../src/http/event-source.js';
import { HttpClient } from '../../src/http/http-client.js';
import { getLogger } from '../../src/logging/logger.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

interface Reading {
  events: ServerEvent[];
  error: unknown;
  lastIds: (string | undefined)[];
  /** The paths of the requests, with their queries. */
  urls: (string | undefined)[];
  sleeps: number[];
}

/** Reads until `stopAfter` events, the end or an error. Each connection gets the next answer. */
export async function readStream(
  answers: readonly ((response: ServerResponse) => void)[],
  options: {
    stopAfter?: number;
    mayReconnect?: () => boolean;
    signal?: AbortSignal;
    idleTimeoutMs?: number;
    monotonicMs?: () => number;
  } = {},
): Promise<Reading> {
  let count = 0;
  await using server = await startServer((_request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    answer?.(response);
  });
  const quick = quickRuntime();
  const runtime = { ...quick, monotonicMs: options.monotonicMs ?? quick.monotonicMs };
  const http = new HttpClient({ baseUrl: server.url, apiKey: new ApiKey('k', 'the test'), runtime });
  const reading: Reading = { events: [], error: undefined, lastIds: [], urls: [], sleeps: runtime.sleeps };
  try {
    const source = readEvents({
      http,
      url: `${server.url}/events`,
      runtime,
      logger: getLogger('test'),
      signal: options.signal ?? new AbortController().signal,
      mayReconnect: options.mayReconnect ?? (() => true),
      idleTimeoutMs: options.idleTimeoutMs ?? 2000,
    });
    for await (const event of source) {
      reading.events.push(event);
      if (reading.events.length === options.stopAfter) break;
    }
  } catch (error) {
    reading.error = error;
  } finally {
    await http.close();
  }
  reading.lastIds = server.requests.map(({ headers }) => headers['last-event-id'] as string | undefined);
  reading.urls = server.requests.map(({ url }) => url);
  return reading;
}

/** Answers with a stream of this text, which then ends or breaks. */
export const stream =
  (text: string | Buffer, { cut = false } = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => (cut ? response.destroy() : response.end()));
  };

/** A frame with an id. */
export const frame = (id: number, name = 'x') => `id: ${id}\nevent: ${name}\ndata: {"n":${id}}\n\n`;

/** A frame without an id. */
export const heartbeat = 'event: heartbeat\ndata: {}\n\n';
