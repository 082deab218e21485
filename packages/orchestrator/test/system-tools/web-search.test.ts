import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { webSearchTool, type WebSearchOptions } from '../../src/system-tools/web-search.js';
import { constraints, planContext } from '../planning/plan-fixtures.js';

async function searchServer(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: { url: string; key: unknown }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', key: request.headers['x-key'] });
    handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const json = (body: unknown) => (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const search = (options: WebSearchOptions, args = {}, signal = new AbortController().signal) =>
  new SystemToolbox([webSearchTool(options)]).run(
    { tool_id: 'web_search', args: { query: 'tea & time', ...args } },
    { signal, context: planContext(), onChunk: () => undefined, onUsage: () => undefined },
  );

const local = (port: number, rest: Partial<WebSearchOptions> = {}): WebSearchOptions => ({
  endpoint: `http://127.0.0.1:${port}/search?q={query}&n={count}`,
  allowPrivateAddresses: true,
  ...rest,
});
const finding = { title: 'Tea', url: 'https://tea.example/', snippet: 'About tea' };

describe('web_search', () => {
  it('cuts long titles and snippets, but not within an emoji', async () => {
    const long = '🍵'.repeat(400);
    const found = { title: `x${long}`, url: finding.url, snippet: `x${long}` };
    await using server = await searchServer(json([found]));
    const outcome = await search(local(server.port));
    const cut = { title: `x${'🍵'.repeat(99)}`, url: finding.url, snippet: `x${'🍵'.repeat(249)}` };
    expect(outcome).toMatchObject({ result: { results: [cut] } });
  });

  it('names a result without a title by its address', async () => {
    const { url, snippet } = finding;
    await using server = await searchServer(json([{ url, snippet }]));
    expect(await search(local(server.port))).toMatchObject({ result: { results: [{ title: url, url }] } });
  });

  it.each([
    ['SearXNG', { results: [{ title: 'Tea', url: 'https://tea.example/', content: 'About tea' }] }],
    [
      'Brave',
      {
        query: {},
        web: {
          results: [{ title: '<b>Tea</b>', url: 'https://tea.example/', description: 'About <i>tea</i>' }],
        },
      },
    ],
    ['Google', { items: [{ title: 'Tea', link: 'https://tea.example/', snippet: 'About tea' }] }],
    [
      'a bare list',
      [{ name: 'Tea', url: 'https://tea.example/', text: 'About tea' }, { name: 'no address' }],
    ],
  ])('reads the results of %s', async (_service, body) => {
    await using server = await searchServer(json(body));
    await expect(search(local(server.port))).resolves.toEqual({
      status: 'ok',
      result: { query: 'tea & time', results: [finding] },
    });
  });

  it('reads a long snippet that consists of unclosed tags', async () => {
    const snippet = '<'.repeat(300_000);
    await using server = await searchServer(json([{ ...finding, snippet }]));
    await expect(search(local(server.port))).resolves.toMatchObject({
      result: { results: [{ ...finding, snippet: snippet.slice(0, 500) }] },
    });
  });

  it('fills in query and count, and sends its headers', async () => {
    await using server = await searchServer(json([]));
    await search(local(server.port, { headers: { 'x-key': 'k' } }), { count: 3 });
    expect(server.requests).toEqual([{ url: '/search?q=tea%20%26%20time&n=3', key: 'k' }]);
  });

  it('returns no more results than requested', async () => {
    await using server = await searchServer(json(Array.from({ length: 9 }, () => finding)));
    await expect(search(local(server.port), { count: 2 })).resolves.toMatchObject({
      result: { results: [finding, finding] },
    });
  });

  it('removes placeholders from the query, and fails when nothing else is left', async () => {
    await using server = await searchServer(json([]));
    await search(local(server.port), { query: 'orders of {_{pii_email_1}_} today' });
    expect(server.requests[0]?.url).toContain('q=orders%20of%20today');
    await expect(search(local(server.port), { query: '{_{pii_email_1}_}' })).resolves.toMatchObject({
      error: { code: 'SEARCH_FAILED' },
    });
  });

  it('reaches no private address unless allowed', async () => {
    await using server = await searchServer(json([finding]));
    const options = { allowPrivateAddresses: false };
    const refused = { status: 'error', error: { code: 'ADDRESS_REFUSED', retryable: false } };
    await expect(search(local(server.port, options))).resolves.toMatchObject(refused);
    const byName = { ...options, endpoint: `http://search.example:${server.port}/?q={query}` };
    const lookup: WebSearchOptions['lookup'] = (_name, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    await expect(search({ ...byName, lookup })).resolves.toMatchObject(refused);
    expect(server.requests).toEqual([]);
  });

  it('follows a redirect to another origin without sending its headers there', async () => {
    await using inner = await searchServer(json([finding]));
    await using outer = await searchServer((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` });
      response.end();
    });
    await expect(search(local(outer.port, { headers: { 'x-key': 'k' } }))).resolves.toMatchObject({
      status: 'ok',
    });
    expect(inner.requests[0]?.key).toBeUndefined();
  });

  it('does not follow a redirect to another protocol', async () => {
    await using server = await searchServer((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' });
      response.end();
    });
    await expect(search(local(server.port))).resolves.toMatchObject({ error: { code: 'SEARCH_FAILED' } });
  });

  it('gives up on endless redirects', async () => {
    await using server = await searchServer((_request, response) => {
      response.writeHead(302, { location: '/again' });
      response.end();
    });
    await expect(search(local(server.port))).resolves.toMatchObject({
      error: { message: expect.stringContaining('too often') },
    });
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    [
      'a response that is too long',
      (_request: IncomingMessage, response: ServerResponse) => response.end('x'.repeat(5000)),
      'longer than 1000 bytes',
    ],
    [
      'a response that is not JSON',
      (_request: IncomingMessage, response: ServerResponse) => response.end('<html>'),
      'did not answer with JSON',
    ],
    [
      'an error of the service',
      (_request: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
      'answered 503',
    ],
  ])('reports %s', async (_case, handle, message) => {
    await using server = await searchServer(handle);
    const outcome = await search(local(server.port, { maxBytes: 1000 }));
    expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining(message) } });
  });

  it('reports a service that does not respond', async () => {
    await using server = await searchServer(() => undefined);
    const outcome = await search(local(server.port, { timeoutMs: 100 }));
    expect(outcome).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('in time') },
    });
  });

  it('stops at once when the run is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    await using server = await searchServer(() => controller.abort(reason));
    await expect(search(local(server.port), {}, controller.signal)).rejects.toBe(reason);
  });

  it.each([
    'no url',
    'http://search.example/',
    'ftp://search.example/?q={query}',
    'https://me:canary@search.example/?q={query}',
  ])('rejects the endpoint "%s" without repeating its credentials', (endpoint) => {
    const refused = () => webSearchTool({ endpoint });
    expect(refused).toThrow(RangeError);
    expect(refused).not.toThrow(/canary/);
  });

  it('is called by the offline planner when asked to search the web', async () => {
    const tool = webSearchTool({ endpoint: 'http://search.example/?q={query}' });
    const context = planContext({
      request: 'Search the web for green tea',
      system_tools: [tool],
      constraints: constraints(),
    });
    const step = await offlinePlanner().next(context, {
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    expect(step).toMatchObject({
      type: 'call',
      calls: [{ tool_id: 'web_search', args: { query: 'green tea' } }],
    });
  });
});
