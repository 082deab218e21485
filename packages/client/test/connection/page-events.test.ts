import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/connection/connection.js';
import { frame } from '../stream-server.js';

/** Stubs the page as a connection sees it, and a server that is unreachable until `answerWith` is called. */
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
    dispatch: async (type: string, hidden = false) => {
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

/** A page with an open connection that has received one event. */
async function connectedPage(text = frame('1', 'a')) {
  const page = openPage();
  page.answerWith(() => stream(text));
  const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
  const done = drain(connection);
  await vi.advanceTimersByTimeAsync(1);
  return { page, connection, done };
}

/** A connection that has failed so often that it waits half a minute between attempts. */
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
    'reconnects at once on %s, and waits as after a first failure if that fails too',
    async (type) => {
      const { page, connection, done } = await lostConnection();
      await page.dispatch(type);
      expect(page.cursors).toHaveLength(8);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(page.cursors).toHaveLength(9);
      connection.close();
      await done;
    },
  );

  it('reconnects at once when a hidden page is online again, but not when the page is only hidden', async () => {
    const { page, connection, done } = await lostConnection();
    await page.dispatch('visibilitychange', true);
    expect(page.cursors).toHaveLength(7);
    await page.dispatch('online', true);
    expect(page.cursors).toHaveLength(8);
    connection.close();
    await done;
  });

  it('waits as long as the server asks for, whatever page events arrive', async () => {
    const page = openPage();
    page.answerWith(() => new Response(null, { status: 503, headers: { 'retry-after': '60' } }));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(30_000);
    await page.dispatch('online');
    expect(page.cursors).toHaveLength(1);
    connection.close();
    await done;
  });

  it('keeps its connection while the page is hidden and shown', async () => {
    const { page, connection, done } = await connectedPage();
    for (const hidden of [true, false]) await page.dispatch('visibilitychange', hidden);
    await page.dispatch('pageshow');
    expect([page.cursors, page.signals[0]?.aborted, connection.status]).toEqual([[null], false, 'open']);
    connection.close();
    await done;
  });

  it('replaces its connection when the page is online: the one it has may be dead', async () => {
    const { page, connection, done } = await connectedPage();
    page.answerWith(() => stream(frame('2', 'a')));
    await page.dispatch('online');
    expect([page.signals[0]?.aborted, connection.status]).toEqual([true, 'connecting']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.cursors).toEqual([null, '1']);
    connection.close();
    expect(await done).toEqual(['1', '2']);
  });

  it('does not ask for the next turn of a replay when the page is left', async () => {
    const { page, connection, done } = await connectedPage(`: replay\n\n${frame('1', 'final')}`);
    await page.dispatch('pagehide');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(page.cursors).toEqual([null]);
    connection.close();
    await done;
  });

  it('disconnects when the page is left, and resumes when it is shown again', async () => {
    const { page, connection, done } = await connectedPage();
    // The order in which browsers dispatch these events.
    await page.dispatch('pagehide');
    await page.dispatch('visibilitychange', true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([page.cursors, page.signals[0]?.aborted, connection.status]).toEqual([[null], true, 'connecting']);
    page.answerWith(() => stream(frame('2', 'a')));
    await page.dispatch('visibilitychange');
    await page.dispatch('pageshow');
    expect(page.cursors).toEqual([null, '1']);
    await vi.advanceTimersByTimeAsync(1);
    connection.close();
    expect(await done).toEqual(['1', '2']);
  });

  it('resumes on pageshow even if the page is hidden', async () => {
    const { page, connection, done } = await connectedPage();
    await page.dispatch('pagehide', true);
    await page.dispatch('pageshow', true);
    expect(page.cursors).toEqual([null, '1']);
    connection.close();
    await done;
  });

  it('reconnects by itself in a page that keeps running after pagehide', async () => {
    const { page, connection, done } = await connectedPage();
    await page.dispatch('pagehide');
    page.answerWith(() => Promise.reject(new TypeError('fetch failed')));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(page.cursors).toEqual([null, '1']);
    // A failure of that attempt counts like any other.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.cursors.length).toBeGreaterThan(2);
    connection.close();
    await done;
  });

  it('reconnects soon if pageshow follows pagehide at once', async () => {
    const { page, connection, done } = await connectedPage();
    void page.dispatch('pagehide');
    await page.dispatch('pageshow');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.cursors).toEqual([null, '1']);
    connection.close();
    await done;
  });

  it('is connecting, not waiting, after a failed attempt during which the page was shown', async () => {
    const page = openPage();
    page.answerWith(() => stream(frame('1', 'final')));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.status).toBe('waiting');
    const answer = Promise.withResolvers<Response>();
    page.answerWith(() => answer.promise);
    await page.dispatch('pagehide');
    await page.dispatch('pageshow');
    expect(page.cursors).toHaveLength(2);
    await page.dispatch('visibilitychange');
    answer.reject(new TypeError('fetch failed'));
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.status).toBe('connecting');
    connection.close();
    await done;
  });

  it('removes its page listeners when it ends', async () => {
    const page = openPage();
    page.answerWith(() => new Response(null, { status: 204 }));
    const connection = new Connection({ url: 'http://app.test/', fetch: page.fetch });
    const done = drain(connection);
    expect(page.listeners.size).toBe(4);
    await done;
    expect(page.listeners.size).toBe(0);
  });
});
