import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { listen } from './app.js';
import { hasNoBrowser, openBrowser } from './browser.js';

/** What the page's EventSource saw: the events, the number of errors, and the final state. */
interface Seen {
  events: { name: string; id: string; data: string }[];
  errors: number;
  readyState: number;
}

/** Runs in the page: opens an EventSource, and resolves when `until` events have arrived or it is closed. */
async function watch({ url, names, until }: { url: string; names: string[]; until: number }): Promise<Seen> {
  const source = new EventSource(url);
  const seen: Seen = { events: [], errors: 0, readyState: 0 };
  return new Promise((resolve) => {
    const settle = () => {
      if (seen.events.length < until && source.readyState !== EventSource.CLOSED) return;
      seen.readyState = source.readyState;
      source.close();
      resolve(seen);
    };
    for (const name of names) {
      source.addEventListener(name, (event) => {
        // The connection's own errors have no data; the server's event of the same name has.
        if (event instanceof MessageEvent)
          seen.events.push({ name, id: event.lastEventId, data: event.data });
        else seen.errors += 1;
        settle();
      });
    }
  });
}

const names = ['assistant_chunk', 'status_message', 'final', 'error', 'message'];

/** Adds an empty page, and records the cursor of every request for a stream. */
function withPage(cursors: unknown[]) {
  return (app: FastifyInstance) => {
    app.get('/', (_, reply) => reply.type('text/html').send('<!doctype html><title>page</title>'));
    app.addHook('onRequest', async ({ url, headers }) => {
      if (url.startsWith('/svc/')) cursors.push(headers['last-event-id']);
    });
  };
}

describe.skipIf(hasNoBrowser)("a real browser's EventSource", () => {
  it('receives every event by name and in order, reconnects with its cursor, and stops at 204', async () => {
    const cursors: unknown[] = [];
    await using server = await listen({ maxConnectionAgeMs: 300 }, withPage(cursors));
    await using browser = await openBrowser(server.origin);
    const page = await browser.newPage();
    const bridge = server.bridge();
    for (let index = 0; index < 10; index += 1)
      await bridge.emitAssistantChunk({ assistantId: 'a', text: `line\n${index} \u2028` });
    const watching = page.evaluate(watch, { url: '/svc/events/s1', names, until: Number.POSITIVE_INFINITY });
    // The connection ends at its maximum age, and the reader reconnects before the session ends.
    while (cursors.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'after the cut' });
    await bridge.emitFinal('done');
    await bridge.close();
    const { events, readyState } = await watching;
    expect(events.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 10 }, () => 'assistant_chunk'),
      'status_message',
      'final',
    ]);
    expect(events.map(({ id }) => Number(id.split('-').at(-1)))).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(events.slice(0, 10).map(({ data }) => JSON.parse(data).data.text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `line\n${index} \u2028`),
    );
    expect(readyState).toBe(2);
    expect(cursors.slice(0, 2)).toEqual([undefined, events[9]?.id]);
    expect(cursors.at(-1)).toBe(events.at(-1)?.id);
  });

  it('distinguishes an event named error from a connection error by its data', async () => {
    await using server = await listen({}, withPage([]));
    await using browser = await openBrowser(server.origin);
    const page = await browser.newPage();
    const bridge = server.bridge();
    const watching = page.evaluate(watch, { url: '/svc/events/s1', names, until: 1 });
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emitError('the model is away');
    const { events } = await watching;
    expect(events).toMatchObject([{ name: 'error' }]);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      type: 'error',
      data: { error_info: { message: 'the model is away' } },
    });
  });

  it('closes if it is not allowed to read the session', async () => {
    await using server = await listen({ authorize: () => false }, withPage([]));
    await using browser = await openBrowser(server.origin);
    const page = await browser.newPage();
    const { events, errors, readyState } = await page.evaluate(watch, {
      url: '/svc/events/s1',
      names,
      until: 1,
    });
    expect({ events, errors, readyState }).toEqual({ events: [], errors: 1, readyState: 2 });
  });
});
