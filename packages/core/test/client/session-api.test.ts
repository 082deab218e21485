import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SessionApi } from '../../src/client/session-api.js';
import { ApiKey } from '../../src/config/api-key.js';
import { ConnectionError } from '../../src/http/errors.js';
import { HttpClient } from '../../src/http/http-client.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

const { signal } = new AbortController();

/** The recorded cases with an address instead of a stream, from which the original does not read events. */
const unreadable: { id: string; input: { url: string } }[] = JSON.parse(
  readFileSync(new URL('../vectors/sse-parse.json', import.meta.url), 'utf8'),
).filter(({ input }: { input: object }) => 'url' in input);

/** Sets up the API of a run and a server that gives these answers in order and repeats the last one. */
async function setUp(...answers: readonly (readonly [status: number, body: unknown])[]) {
  let count = 0;
  const listener: RequestListener = (_request, response) => {
    const [status = 500, body = {}] = answers[Math.min(count, answers.length - 1)] ?? [];
    count += 1;
    response.writeHead(status).end(JSON.stringify(body));
  };
  const server = await startServer(listener);
  const runtime = quickRuntime();
  const http = new HttpClient({ baseUrl: server.url, apiKey: new ApiKey('key', 'the test'), runtime });
  return {
    api: new SessionApi(http, runtime),
    server,
    async [Symbol.asyncDispose]() {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('a session', () => {
  it.each(['events_url', 'resume_url'])(
    'is refused when it starts if its %s has another origin',
    async (field) => {
      const addresses: Record<string, string> = {};
      await using setup = await setUp([200, addresses]);
      const own = `${setup.server.url}/x`;
      Object.assign(addresses, { session_id: 's-1', events_url: own, resume_url: own });
      addresses[field] = 'http://elsewhere.example/x';
      const started = setup.api.start({ client_id: 'run-1' } as never, signal);
      await expect(started).rejects.toMatchObject({ code: 'HTTP_FOREIGN_ORIGIN' });
    },
  );

  it.each(unreadable)(
    'is refused when it starts if its events_url is unusable, as in $id',
    async ({ input }) => {
      const addresses: Record<string, string> = {};
      await using setup = await setUp([200, addresses]);
      const own = `${setup.server.url}/x`;
      Object.assign(addresses, { session_id: 's-1', events_url: input.url, resume_url: own });
      const started = setup.api.start({ client_id: 'run-1' } as never, signal);
      await expect(started).rejects.toThrow(ConnectionError);
    },
  );

  it('is tested with all five recorded addresses', () => {
    expect(unreadable).toHaveLength(5);
  });

  it.each([404, 405, 409, 410, 501])('counts as ended if its cancel is refused with %i', async (status) => {
    await using setup = await setUp([status, {}]);
    await setup.api.cancel('s-1');
    expect(setup.server.requests.length).toBeGreaterThan(0);
  });

  it('cannot be cancelled if its cancel is refused with 403', async () => {
    await using setup = await setUp([403, {}]);
    await expect(setup.api.cancel('s-1')).rejects.toMatchObject({ statusCode: 403 });
  });

  it('is sent a cancel at most three times', async () => {
    await using setup = await setUp([500, {}]);
    await expect(setup.api.cancel('s-1')).rejects.toMatchObject({ statusCode: 500 });
    expect(setup.server.requests).toHaveLength(3);
  });
});

describe('a run', () => {
  it('retries posting a result, which counts as accepted unless the response says otherwise', async () => {
    await using setup = await setUp([500, {}], [200, {}]);
    expect(await setup.api.postResult('/resume', {}, signal)).toEqual({ accepted: true });
    expect(setup.server.requests).toHaveLength(2);
  });

  it('retries posting the answer to a question', async () => {
    await using setup = await setUp([500, {}], [200, { session_id: 's-1' }]);
    const answered = await setup.api.answerCheckpoint('c-1', { interrupt_data: { ok: true } }, signal);
    expect(answered.session_id).toBe('s-1');
    expect(setup.server.requests).toHaveLength(2);
  });

  it.each([
    ['a result', (api: SessionApi, ended: AbortSignal) => api.postResult('/resume', {}, ended)],
    [
      'an answer',
      (api: SessionApi, ended: AbortSignal) => api.answerCheckpoint('c-1', { interrupt_data: {} }, ended),
    ],
  ])('that ends before the response to %s does not abort the request', async (_name, post) => {
    const run = new AbortController();
    await using server = await startServer((_request, response) => {
      run.abort(new DOMException('The session has ended.', 'AbortError'));
      setImmediate(() => response.end('{"session_id":"s-1"}'));
    });
    const runtime = quickRuntime();
    const http = new HttpClient({ baseUrl: server.url, apiKey: new ApiKey('key', 'the test'), runtime });
    const { promise: outcome, resolve } = Promise.withResolvers<string>();
    const onEnd = () => resolve('answered');
    const onError = () => resolve('aborted');
    subscribe('undici:request:trailers', onEnd);
    subscribe('undici:request:error', onError);
    try {
      await expect(post(new SessionApi(http, runtime), run.signal)).rejects.toMatchObject({
        name: 'AbortError',
      });
      expect(await outcome).toBe('answered');
    } finally {
      unsubscribe('undici:request:trailers', onEnd);
      unsubscribe('undici:request:error', onError);
      await http.close();
    }
  });
});
