import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSharedEventStream } from '../../src/tabs/open-shared-event-stream.js';
import { frame, status, stream, streamServer } from '../stream-server.js';
import { close, deepFrame, expectIds, idsTo, joinChannel, sessionServer, tab } from './tabs.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('openSharedEventStream', () => {
  it('delivers every event in order to every tab over one connection, even to a later tab', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const tabs = [tab(options), tab(options)];
    await expect.poll(() => session.open.size).toBe(1);
    for (const id of idsTo(5)) session.emit(id);
    await expectIds(tabs, idsTo(5));
    // An empty cursor counts as none.
    tabs.push(tab({ ...options, lastEventId: '' }));
    await expectIds(tabs, idsTo(5));
    for (const id of ['6', '7']) session.emit(id);
    await expectIds(tabs, idsTo(7));
    expect(session.server.requests).toHaveLength(1);
    expect(tabs.map(({ stream }) => [stream.status, stream.lastEventId])).toEqual(
      tabs.map(() => ['open', '7']),
    );
    close(...tabs);
    expect(await Promise.all(tabs.map(({ ended }) => ended))).toEqual(['ended', 'ended', 'ended']);
  });

  it('shares what a relative URL names from the base of the document', async () => {
    await using session = await sessionServer();
    const { origin, pathname } = new URL(session.server.url);
    vi.stubGlobal('location', { href: 'about:srcdoc' });
    vi.stubGlobal('document', { baseURI: `${origin}/app/`, hidden: false });
    const tabs = [
      tab({ url: `..${pathname}`, identity: 'me' }),
      tab({ url: session.server.url, identity: 'me' }),
    ];
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('1');
    await expectIds(tabs, ['1']);
    expect(session.server.requests).toHaveLength(1);
    close(...tabs);
  });

  it('closes at once when its iterator is returned, even during a pending pull', async () => {
    await using session = await sessionServer();
    const stream = openSharedEventStream({
      url: session.server.url,
      identity: 'me',
      lastEventId: null,
      signal: null,
    });
    expect(stream.lastEventId).toBeUndefined();
    const events = stream[Symbol.asyncIterator]();
    const first = events.next();
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('1');
    expect(await first).toMatchObject({ value: { id: '1' } });
    const waiting = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect.poll(() => session.open.size).toBe(0);
  });

  it('notifies of its status, counts malformed frames, and closes when it is disposed', async () => {
    await using session = await sessionServer();
    const stream = openSharedEventStream({ url: session.server.url, identity: 'me' });
    const seen: string[] = [];
    stream.onStatusChange(() => seen.push(stream.status));
    const removed: string[] = [];
    const remove = stream.onStatusChange(() => removed.push(stream.status));
    expect([stream.status, stream.malformedFrames]).toEqual(['connecting', 0]);
    const first = stream[Symbol.asyncIterator]().next();
    await expect.poll(() => seen).toEqual(['open']);
    remove();
    for (const response of session.open) response.write('data: not JSON\n\n');
    session.emit('1');
    await first;
    expect(stream.malformedFrames).toBe(1);
    await stream[Symbol.asyncDispose]();
    expect([seen, removed]).toEqual([['open', 'closed'], ['open']]);
    await expect.poll(() => session.open.size).toBe(0);
  });

  it('leaves no listener on its signal or its page when it closes', async () => {
    await using session = await sessionServer();
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    const { signal } = new AbortController();
    const count = () => [
      getEventListeners(signal, 'abort').length,
      getEventListeners(page, 'pagehide').length,
      getEventListeners(page, 'pageshow').length,
    ];
    const only = tab({ url: session.server.url, identity: 'me', signal });
    await expect.poll(() => session.open.size).toBe(1);
    expect(count()).toEqual([1, 2, 2]);
    close(only);
    expect(count()).toEqual([0, 0, 0]);
  });

  it('continues in another tab when the leader closes, from its cursor, without loss or repeat', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const tabs = Array.from({ length: 4 }, () => tab(options));
    let count = 0;
    while (tabs.length > 1) {
      await expect.poll(() => session.open.size).toBe(1);
      for (const id of idsTo(10).map((index) => `${count + Number(index)}`)) session.emit(id);
      count += 10;
      await expectIds(tabs.slice(-1), idsTo(count));
      close(...tabs.splice(0, 1));
      session.emit(`${(count += 1)}`);
      await expectIds(tabs, idsTo(count));
    }
    expect(session.server.cursors()).toEqual([undefined, '10', '21', '32']);
    close(...tabs);
  });

  it('is connecting while the tab that takes over cannot reach the server', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const first = tab(options);
    await expect.poll(() => first.stream.status).toBe('open');
    const second = tab(options);
    await expect.poll(() => second.stream.status).toBe('open');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    close(first);
    await expect.poll(() => second.stream.lastError).toMatchObject({ message: 'fetch failed' });
    expect(second.stream.status).toBe('connecting');
    close(second);
  });

  it('reports in every tab why there is no connection, until there is one', async () => {
    await using session = await sessionServer();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    const leader = tab({ url: session.server.url, identity: 'me' });
    await expect.poll(() => leader.stream.lastError).toBeInstanceOf(TypeError);
    const follower = tab({ url: session.server.url, identity: 'me' });
    await expect.poll(() => follower.stream.lastError).toEqual(new Error('TypeError: fetch failed'));
    vi.unstubAllGlobals();
    await expect.poll(() => follower.stream.lastError).toBeUndefined();
    close(leader, follower);
  });

  it('ends in all tabs with the session', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const tabs = [tab(options), tab(options)];
    session.emit('1');
    await expectIds(tabs, ['1']);
    session.emit('2', 'session_end');
    expect(await Promise.all(tabs.map(({ ended }) => ended))).toEqual(['ended', 'ended']);
    expect(tabs.map(({ stream, ids }) => [stream.status, ids])).toEqual(
      tabs.map(() => ['closed', ['1', '2']]),
    );
    expect(session.server.requests).toHaveLength(1);
  });

  it('is refused in all tabs with one request', async () => {
    await using server = await streamServer((response, request) => {
      setTimeout(() => status(403)(response, request), 20);
    });
    const options = { url: server.url, identity: 'me' };
    const errors = await Promise.all([tab(options), tab(options)].map(({ ended }) => ended));
    expect(errors).toMatchObject([{ statusCode: 403 }, { statusCode: 403 }]);
    expect(server.requests).toHaveLength(1);
  });

  it('shares nothing between users or between URLs', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    const tabs = [
      tab({ url, identity: 'me' }),
      tab({ url, identity: 'you' }),
      tab({ url: `${url}?a`, identity: 'me' }),
    ];
    await expect.poll(() => session.open.size).toBe(3);
    close(...tabs);
  });

  it('lets a tab read on its own while the leader does not know its cursor', async () => {
    await using session = await sessionServer();
    for (const id of idsTo(3)) session.emit(id);
    const options = { url: session.server.url, identity: 'me' };
    const leader = tab({ ...options, lastEventId: '2' });
    await expectIds([leader], ['3']);
    const other = tab(options);
    await expectIds([other], idsTo(3));
    expect(session.open.size).toBe(2);
    const third = tab({ ...options, lastEventId: '2' });
    await expectIds([third], ['3']);
    close(leader);
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('4');
    await expectIds([other], idsTo(4));
    await expectIds([third], ['3', '4']);
    close(other, third);
  });

  it('lets every tab read an event on its own that is nested too deeply to be passed on', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const tabs = [tab(options), tab(options)];
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('1');
    await expectIds(tabs, idsTo(1));
    session.emit('2', 'a', deepFrame('2'));
    await expectIds(tabs, idsTo(2));
    tabs.push(tab(options));
    session.emit('3');
    await expectIds(tabs, idsTo(3));
    expect(tabs.map(({ stream }) => stream.status)).toEqual(['open', 'open', 'open']);
    close(...tabs);
  });

  it('reads on its own when the leader does not answer, and when it falls silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using session = await sessionServer();
    const { url } = session.server;
    const name = `svc-events:1:me:${url}`;
    let release: () => void = () => undefined;
    void navigator.locks.request(name, () => new Promise<void>((resolve) => (release = resolve)));
    const channel = new BroadcastChannel(name);
    const send = channel.postMessage.bind(channel);
    const messages: { kind: string; id: string; cursor?: string }[] = [];
    channel.onmessage = ({ data }: { data: (typeof messages)[number] }) => void messages.push(data);
    const silent = tab({ url, identity: 'me' });
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    while (messages.length === 0) await turns();
    vi.advanceTimersByTime(999);
    await turns();
    expect(session.server.requests).toHaveLength(0);
    vi.advanceTimersByTime(1);
    while (session.open.size === 0) await turns();
    close(silent);

    messages.length = 0;
    const follower = tab({ url, identity: 'me' });
    while (messages.length === 0) await turns();
    const event = (id: string) => ({ id, type: 'a', timestamp: '', data: {} });
    send({ kind: 'welcome', id: messages[0]?.id, events: [event('1')], status: 'open' });
    while (follower.ids.length === 0) await turns();
    send({ kind: 'event', event: event('9'), after: '8' });
    while (messages.length === 1) await turns();
    expect(messages[1]).toMatchObject({ kind: 'hello', cursor: '1' });
    send({
      kind: 'welcome',
      id: messages[1]?.id,
      events: [event('8'), event('9')],
      status: 'open',
    });
    while (follower.ids.length < 3) await turns();
    expect(follower.ids).toEqual(['1', '8', '9']);
    vi.advanceTimersByTime(90_000);
    while (session.server.requests.length < 2) await turns();
    expect(session.server.cursors().at(-1)).toBe('9');
    close(follower);
    release();
    channel.close();
  });

  it('does not hold the other tabs up if the loop of the leader has stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await using session = await sessionServer();
    const { url } = session.server;
    for (const id of idsTo(3_000)) session.emit(id);
    const stopped = openSharedEventStream({ url, identity: 'me' });
    await stopped[Symbol.asyncIterator]().next();
    const other = tab({ url, identity: 'me' });
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    while (other.ids.length < 1_000) await turns();
    for (let seconds = 0; seconds < 120; seconds += 10) {
      vi.advanceTimersByTime(10_000);
      for (let count = 0; count < 20; count += 1) await turns();
    }
    expect(session.open.size).toBe(2);
    while (other.ids.length < 3_000) await turns();
    expect(other.ids).toEqual(idsTo(3_000));
    close(other, { stream: stopped });
  });

  it('ends in a tab opened after the end of the session, even if the loop of the leader has stopped', async () => {
    const all = stream(`${frame('1', 'a')}${frame('2', 'session_end')}`);
    await using server = await streamServer((response, request) => {
      const answer = request.headers['last-event-id'] === '2' ? status(204) : all;
      answer(response, request);
    });
    const options = { url: server.url, identity: 'me' };
    using channel = joinChannel(server.url);
    const stopped = openSharedEventStream(options);
    await stopped[Symbol.asyncIterator]().next();
    await expect.poll(() => channel.received('end')).toHaveLength(1);
    const later = tab(options);
    expect(await later.ended).toBe('ended');
    expect(later.ids).toEqual(['1', '2']);
    close({ stream: stopped });
  });

  it.each([
    ['navigator', {}],
    ['BroadcastChannel', undefined],
  ])('opens a connection for each tab where %s does not support sharing', async (name, value) => {
    vi.stubGlobal(name, value);
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const tabs = [tab(options), tab(options)];
    await expect.poll(() => session.open.size).toBe(2);
    close(...tabs);
  });

  it('leaves no lock behind, even if it is closed before it starts', async () => {
    await using session = await sessionServer();
    const options = { url: session.server.url, identity: 'me' };
    const controller = new AbortController();
    const first = tab({ ...options, signal: controller.signal });
    await expect.poll(() => session.open.size).toBe(1);
    controller.abort();
    expect(await first.ended).toBe('ended');
    expect(await tab({ ...options, signal: controller.signal }).ended).toBe('ended');
    const locks = async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      return [...held, ...pending].filter(({ name }) => name?.includes(options.url));
    };
    await expect.poll(locks).toEqual([]);
  });

  it('accepts the options of useRun with undefined headers and fetch', async () => {
    const options = { url: 'http://app.test/', headers: undefined, fetch: undefined };
    openSharedEventStream({ ...options, identity: 'me' }).close();
  });

  it.each([
    [{ headers: {} }, /headers/],
    [{ fetch }, /fetch/],
    [{ identity: '' }, /^identity must be a non-blank string, got ""$/],
    [{ identity: ' \t' }, /identity/],
    [{ identity: 7 as unknown as string }, /^identity must be a non-blank string, got number$/],
    [{ url: '/relative' }, /URL/],
    [{ url: 'http://user:password@app.test/' }, /^url must be a URL without credentials; send headers$/],
  ])('refuses the options %o', (more, message) => {
    expect(() => openSharedEventStream({ url: 'http://app.test/', identity: 'me', ...more })).toThrow(
      message,
    );
  });
});
