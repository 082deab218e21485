import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/connection/connection.js';
import { frame } from '../stream-server.js';

/** A page, as far as a connection sees it, and a server that this page is cut off from until it is told otherwise. */
function openPage() {
  const target = new EventTarget();
  const document = { hidden: false };
  const listeners = new Set<string>();
  const page = {
    document,
    addEventListener: (type: string, listener: () => void) => {
      listeners.add(type);
      target.addEventListener(type, listener);
    },
    removeEventListener: (type: string, listener: () => void) => {
      listeners.delete(type);
      target.removeEventListener(type, listener);
    },
  };
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value);
  const server = { answer: async (): Promise<Response> => Promise.reject(new TypeError('fetch failed')) };
  const cursors: (string | null)[] = [];
  const signals: AbortSignal[] = [];
  const fetch = async (_: string, { headers, signal }: RequestInit) => {
    cursors.push(new Headers(headers).get('last-event-id'));
    if (signal) signals.push(signal);
    const answer = await server.answer();
    return new Response(answer.body?.pipeThrough(new TransformStream(), signal ? { signal } : {}), answer);
  };
  return {
    cursors,
    signals,
    listeners,
    fetch,
    answerWith: (answer: () => Response | Promise<Response>) => (server.answer = async () => answer()),
    say: async (type: string, hidden = false) => {
      document.hidden = hidden;
      target.dispatchEvent(new Event(type));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

/** A stream that stays open after this text. */
function stream(text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function drain(connection: Connection): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of connection) ids.push(id);
  return ids;
}

/** A page whose connection has had one event and is open. */
async function connectedPage() {
  const page = openPage();
  page.answerWith(() => stream(frame('1', 'a')));
  const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
  const done = drain(connection);
  await vi.advanceTimersByTimeAsync(1);
  return { page, connection, done };
}

/** A connection that has failed so often that it waits for half a minute. */
async function lostConnection() {
  vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
  const page = openPage();
  const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
  const done = drain(connection);
  while (page.cursors.length < 7) await vi.advanceTimersByTimeAsync(1_000);
  return { page, connection, done };
}

describe('a connection in a page', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it.each(['online', 'visibilitychange', 'pageshow'])(
    'comes back at once with %s, and waits as after its first failure if that fails too',
    async (type) => {
      const { page, connection, done } = await lostConnection();
      await page.say(type);
      expect(page.cursors).toHaveLength(8);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(page.cursors).toHaveLength(9);
      connection.close();
      await done;
    },
  );

  it('comes back at once where it is online again behind another tab, and does not where it is only hidden', async () => {
    const { page, connection, done } = await lostConnection();
    await page.say('visibilitychange', true);
    expect(page.cursors).toHaveLength(7);
    await page.say('online', true);
    expect(page.cursors).toHaveLength(8);
    connection.close();
    await done;
  });

  it('waits as long as the server asks for, whatever the page says', async () => {
    const page = openPage();
    page.answerWith(() => new Response(null, { status: 503, headers: { 'retry-after': '60' } }));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(30_000);
    await page.say('online');
    expect(page.cursors).toHaveLength(1);
    connection.close();
    await done;
  });

  it('keeps its connection while it is hidden and shown', async () => {
    const { page, connection, done } = await connectedPage();
    for (const hidden of [true, false]) await page.say('visibilitychange', hidden);
    await page.say('online');
    expect([page.cursors, page.signals[0]?.aborted, connection.status]).toEqual([[null], false, 'open']);
    connection.close();
    await done;
  });

  it('lets go of its connection when it is left, and resumes when it is shown again', async () => {
    const { page, connection, done } = await connectedPage();
    // The order in which browsers say it.
    await page.say('pagehide');
    await page.say('visibilitychange', true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([page.cursors, page.signals[0]?.aborted, connection.status]).toEqual([[null], true, 'connecting']);
    page.answerWith(() => stream(frame('2', 'a')));
    await page.say('visibilitychange');
    await page.say('pageshow');
    expect(page.cursors).toEqual([null, '1']);
    await vi.advanceTimersByTimeAsync(1);
    connection.close();
    expect(await done).toEqual(['1', '2']);
  });

  it('resumes in a page that is shown behind another tab', async () => {
    const { page, connection, done } = await connectedPage();
    await page.say('pagehide', true);
    await page.say('pageshow', true);
    expect(page.cursors).toEqual([null, '1']);
    connection.close();
    await done;
  });

  it('comes back by itself in a page that runs on although it said that it is left', async () => {
    const { page, connection, done } = await connectedPage();
    await page.say('pagehide');
    page.answerWith(() => Promise.reject(new TypeError('fetch failed')));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(page.cursors).toEqual([null, '1']);
    // A failure of that attempt is one like any other.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.cursors.length).toBeGreaterThan(2);
    connection.close();
    await done;
  });

  it('comes back soon where the page is shown in the moment in which it is left', async () => {
    const { page, connection, done } = await connectedPage();
    void page.say('pagehide');
    await page.say('pageshow');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.cursors).toEqual([null, '1']);
    connection.close();
    await done;
  });

  it('is not between turns, when an attempt fails that was under way as the page was looked at', async () => {
    const page = openPage();
    page.answerWith(() => stream(frame('1', 'final')));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.status).toBe('waiting');
    const answer = Promise.withResolvers<Response>();
    page.answerWith(() => answer.promise);
    await page.say('pagehide');
    await page.say('pageshow');
    expect(page.cursors).toHaveLength(2);
    await page.say('visibilitychange');
    answer.reject(new TypeError('fetch failed'));
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.status).toBe('connecting');
    connection.close();
    await done;
  });

  it('takes its listeners off when it ends', async () => {
    const page = openPage();
    page.answerWith(() => new Response(null, { status: 204 }));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    expect(page.listeners.size).toBe(4);
    await done;
    expect(page.listeners.size).toBe(0);
  });
});
