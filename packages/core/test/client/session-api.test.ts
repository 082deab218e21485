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

/** The recorded streams that are none: addresses that the original does not read events from. */
const unreadable: { id: string; input: { url: string } }[] = JSON.parse(
  readFileSync(new URL('../vectors/sse-parse.json', import.meta.url), 'utf8'),
).filter(({ input }: { input: object }) => 'url' in input);

/** The requests of a run to a server that answers one after another so, the last answer again and again. */
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
  it.each(['events_url', 'resume_url'])('whose %s is elsewhere is refused as it starts', async (field) => {
    const addresses: Record<string, string> = {};
    await using setup = await setUp([200, addresses]);
    const own = `${setup.server.url}/x`;
    Object.assign(addresses, { session_id: 's-1', events_url: own, resume_url: own });
    addresses[field] = 'http://elsewhere.example/x';
    const started = setup.api.start({ client_id: 'run-1' } as never, signal);
    await expect(started).rejects.toMatchObject({ code: 'HTTP_FOREIGN_ORIGIN' });
  });

  it.each(unreadable)('whose events_url is that of $id is refused as it starts', async ({ input }) => {
    const addresses: Record<string, string> = {};
    await using setup = await setUp([200, addresses]);
    const own = `${setup.server.url}/x`;
    Object.assign(addresses, { session_id: 's-1', events_url: input.url, resume_url: own });
    const started = setup.api.start({ client_id: 'run-1' } as never, signal);
    await expect(started).rejects.toThrow(ConnectionError);
  });

  it('is refused with all recorded addresses', () => {
    expect(unreadable).toHaveLength(5);
  });

  it.each([404, 405, 409, 410, 501])('that is refused to be cancelled with %i is over', async (status) => {
    await using setup = await setUp([status, {}]);
    await setup.api.cancel('s-1');
    expect(setup.server.requests.length).toBeGreaterThan(0);
  });

  it('that may not be cancelled says so', async () => {
    await using setup = await setUp([403, {}]);
    await expect(setup.api.cancel('s-1')).rejects.toMatchObject({ statusCode: 403 });
  });

  it('is cancelled three times at most', async () => {
    await using setup = await setUp([500, {}]);
    await expect(setup.api.cancel('s-1')).rejects.toMatchObject({ statusCode: 500 });
    expect(setup.server.requests).toHaveLength(3);
  });
});

describe('what a run answers', () => {
  it('is posted again after an error, and counts as accepted where nothing else is said', async () => {
    await using setup = await setUp([500, {}], [200, {}]);
    expect(await setup.api.postResult('/resume', {}, signal)).toEqual({ accepted: true });
    expect(setup.server.requests).toHaveLength(2);
  });

  it('to a question is posted again after an error', async () => {
    await using setup = await setUp([500, {}], [200, { session_id: 's-1' }]);
    const answered = await setup.api.answerCheckpoint('c-1', { interrupt_data: { ok: true } }, signal);
    expect(answered.session_id).toBe('s-1');
    expect(setup.server.requests).toHaveLength(2);
  });
});
