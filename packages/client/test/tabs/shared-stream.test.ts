import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSharedEventStream } from '../../src/tabs/open-shared-event-stream.js';
import { close, expectIds, idsTo, joinChannel, ledSession, sessionServer, tab } from './tabs.js';

const test = { isOver: false };
beforeEach(() => void (test.isOver = false));
afterEach(() => {
  test.isOver = true;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const fakeTimers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Waits for other tabs and the server, whatever the fake timers. */
const until = async (condition: () => unknown) => {
  while (!test.isOver && !condition()) await turn();
};

const event = (id: string, type = 'a') => ({ id, type, timestamp: '', data: {} });

/** Stubs the window of tabs that are opened from now on. Returns a function that dispatches its events. */
function openPage() {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return (type: 'pagehide' | 'pageshow') => page.dispatchEvent(new Event(type));
}

describe('a tab in a page that is left', () => {
  it('lets another tab take over, and follows it when shown again', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using channel = joinChannel(url);
    const dispatch = openPage();
    const leader = tab({ url, identity: 'me' });
    vi.unstubAllGlobals();
    await expect.poll(() => session.open.size).toBe(1);
    const other = tab({ url, identity: 'me' });
    dispatch('pageshow');
    session.emit('1');
    await expectIds([leader, other], ['1']);
    dispatch('pagehide');
    expect(leader.stream.status).toBe('connecting');
    await expect.poll(() => session.server.requests).toHaveLength(2);
    session.emit('2');
    await expectIds([other], ['1', '2']);
    expect(leader.ids).toEqual(['1']);
    dispatch('pageshow');
    await expectIds([leader], ['1', '2']);
    expect(leader.stream.status).toBe('open');
    const welcomes = () => channel.received('welcome').filter((welcome) => welcome.id === 'third').length;
    channel.send({ kind: 'hello', id: 'third', cursor: '1' });
    await until(welcomes);
    session.emit('3');
    await expectIds([leader, other], idsTo(3));
    expect(welcomes()).toBe(1);
    expect(session.server.requests).toHaveLength(2);
    close(other);
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('4');
    await expectIds([leader], idsTo(4));
    close(leader);
    dispatch('pageshow');
    expect(leader.stream.status).toBe('closed');
  });

  it('reconnects by itself if the page keeps running, and leaves no timer behind when it ends', async () => {
    vi.useFakeTimers({ toFake: [...fakeTimers] });
    await using session = await sessionServer();
    const dispatch = openPage();
    const only = tab({ url: session.server.url, identity: 'me' });
    await until(() => session.open.size);
    session.emit('1');
    await until(() => only.ids.length);
    dispatch('pagehide');
    await until(() => !session.open.size);
    session.emit('2');
    vi.advanceTimersByTime(29_999);
    expect(only.stream.status).toBe('connecting');
    vi.advanceTimersByTime(1);
    await until(() => only.ids.length > 1);
    expect([only.ids, session.server.cursors()]).toEqual([
      ['1', '2'],
      [undefined, '1'],
    ]);
    close(only);
    await only.ended;
    dispatch('pagehide');
    await until(() => !session.open.size);
    await until(() => vi.getTimerCount() === 0);
  });
});

describe('a follower', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...fakeTimers] }));

  it('takes events that follow its last one, and asks once for missed ones', async () => {
    await using led = await ledSession();
    const { session, url, other, release } = led;
    const follower = tab({ url, identity: 'me' });
    const greeted = (times: number) => until(() => other.received('hello').length === times);
    const welcome = (to: string | undefined, ...ids: string[]) =>
      other.send({
        kind: 'welcome',
        id: `${to}`,
        events: ids.map((id) => event(id)),
        status: 'open',
        lostBy: undefined,
      });
    const sendEvent = (after: string | undefined, id: string, type?: string) =>
      other.send({ kind: 'event', event: event(id, type), after });
    await greeted(1);
    const me = () => other.received('hello').at(-1)?.id;
    sendEvent('8', '9');
    welcome('another tab', '7');
    welcome(me(), '1');
    welcome(me(), '1');
    sendEvent('1', '');
    await until(() => follower.ids.length === 2);
    expect(follower.stream.lastEventId).toBe('1');
    sendEvent(undefined, '1');
    sendEvent('1', '2');
    sendEvent('2', '2', 'stream_gap');
    sendEvent('4', '5');
    sendEvent('5', '6');
    await greeted(2);
    welcome(me(), '3', '4', '5', '6');
    sendEvent('8', '9');
    await greeted(3);
    expect(follower.ids).toEqual(['1', '', '2', '2', '3', '4', '5', '6']);
    expect(other.received('hello').map(({ cursor }) => cursor)).toEqual([undefined, '2', '6']);
    close(follower);
    release();
    expect([session.server.requests, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('greets a tab that says it leads, and reads on its own after a long silence', async () => {
    await using led = await ledSession();
    const { session, url, other } = led;
    const follower = tab({ url, identity: 'me' });
    await until(() => other.received('hello').length === 1);
    other.send({ kind: 'status', status: 'open', lostBy: undefined });
    await until(() => other.received('hello').length === 2);
    vi.advanceTimersByTime(89_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await until(() => session.open.size);
    close(follower);
  });

  it('counts every event as a sign of life', async () => {
    await using led = await ledSession();
    const { session, url, other } = led;
    const follower = tab({ url, identity: 'me' });
    await until(() => other.received('hello').length === 1);
    const me = `${other.received('hello')[0]?.id}`;
    other.send({ kind: 'welcome', id: me, events: [event('1')], status: 'open', lostBy: undefined });
    await until(() => follower.ids.length === 1);
    vi.advanceTimersByTime(60_000);
    other.send({ kind: 'event', event: event('2'), after: '1' });
    await until(() => follower.ids.length === 2);
    vi.advanceTimersByTime(89_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await until(() => session.open.size);
    close(follower);
  });

  it('asks the server for missed events if the end arrives before an answer', async () => {
    await using led = await ledSession();
    const { session, url, other } = led;
    for (const [id, type] of [['1'], ['2'], ['3', 'session_end']] as const) session.emit(id, type);
    const follower = tab({ url, identity: 'me', lastEventId: '1' });
    await until(() => other.received('hello').length === 1);
    other.send({ kind: 'end', refused: undefined });
    expect([await follower.ended, follower.ids]).toEqual(['ended', ['2', '3']]);
    using later = joinChannel(url);
    later.send({ kind: 'hello', id: 'later', cursor: undefined });
    await until(() => other.received('hello').length === 2);
    expect(other.received('end')).toEqual([]);
  });

  it('reads on its own when a thousand events wait for its consumer', async () => {
    await using led = await ledSession();
    const { session, url, other } = led;
    const follower = openSharedEventStream({ url, identity: 'me' });
    const events = follower[Symbol.asyncIterator]();
    const first = events.next();
    await until(() => other.received('hello').length);
    const [hello] = other.received('hello');
    other.send({
      kind: 'welcome',
      id: `${hello?.id}`,
      events: [event('1')],
      status: 'open',
      lostBy: undefined,
    });
    await first;
    for (let id = 2; id <= 1_001; id += 1)
      other.send({ kind: 'event', event: event(`${id}`), after: `${id - 1}` });
    await until(() => session.open.size);
    expect(session.server.cursors()).toEqual(['1001']);
    follower.close();
    expect(await events.next()).toMatchObject({ done: true });
  });
});

describe('a tab that reads', () => {
  it('neither forwards events nor obeys the leader until it leads, and then says so repeatedly', async () => {
    vi.useFakeTimers({ toFake: [...fakeTimers] });
    await using led = await ledSession();
    const { session, url, other, release } = led;
    const reader = tab({ url, identity: 'me' });
    await until(() => other.received('hello').length);
    const [hello] = other.received('hello');
    other.send({
      kind: 'welcome',
      id: `${hello?.id}`,
      events: undefined,
      status: 'open',
      lostBy: undefined,
    });
    await until(() => session.open.size);
    session.emit('1');
    await until(() => reader.ids.length);
    other.send({ kind: 'status', status: 'replaying', lostBy: 'nothing' });
    other.send({ kind: 'end', refused: 403 });
    session.emit('2');
    await until(() => reader.ids.length > 1);
    expect([reader.stream.status, reader.stream.lastError, other.received('status')]).toEqual([
      'open',
      undefined,
      [],
    ]);
    release();
    await until(() => other.received('status').length === 1);
    vi.advanceTimersByTime(20_000);
    await until(() => other.received('status').length === 2);
    expect(other.received('event')).toEqual([]);
    // The last word of the tab that led before.
    other.send({ kind: 'status', status: 'open', lostBy: undefined });
    session.emit('3');
    await until(() => other.received('event').length === 1);
    expect(other.received('hello')).toHaveLength(1);
    close(reader);
    await until(() => vi.getTimerCount() === 0);
  });

  it('follows a leader that is heard again, without losing or repeating an event', async () => {
    vi.useFakeTimers({ toFake: [...fakeTimers] });
    await using led = await ledSession();
    const { session, url, other } = led;
    const reader = tab({ url, identity: 'me' });
    const hellos = () => other.received('hello');
    const say = (status: 'open' | 'connecting') => other.send({ kind: 'status', status, lostBy: undefined });
    const welcome = (to: number, events: string[] | undefined) =>
      other.send({
        kind: 'welcome',
        id: `${hellos()[to]?.id}`,
        events: events?.map((id) => event(id)),
        status: 'open',
        lostBy: undefined,
      });
    await until(() => hellos().length === 1);
    vi.advanceTimersByTime(1_000);
    await until(() => session.open.size);
    // Nothing received yet: its own connection may bring older events than the answer.
    say('open');
    // The answer to the hello before it had a connection.
    welcome(0, ['0']);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    session.emit('1');
    await until(() => reader.ids.length === 1);
    say('connecting');
    say('open');
    await until(() => hellos().length === 2);
    // The leader does not have what this tab needs.
    welcome(1, undefined);
    say('open');
    await until(() => hellos().length === 3);
    session.emit('2');
    await until(() => reader.ids.length === 2);
    expect(session.open.size).toBe(1);
    welcome(1, ['1']);
    welcome(2, ['2', '3']);
    await until(() => !session.open.size);
    other.send({ kind: 'event', event: event('4'), after: '3' });
    await until(() => reader.ids.length === 4);
    expect([reader.ids, hellos().map(({ cursor }) => cursor)]).toEqual([idsTo(4), [undefined, '1', '1']]);
    expect([session.server.requests.length, reader.stream.status]).toEqual([1, 'open']);
    close(reader);
    expect(await reader.ended).toBe('ended');
  });

  it('stays with its own connection while its consumer is slow', async () => {
    vi.useFakeTimers({ toFake: [...fakeTimers] });
    await using led = await ledSession();
    const { session, url, other } = led;
    const stream = openSharedEventStream({ url, identity: 'me' });
    const events = stream[Symbol.asyncIterator]();
    const first = events.next();
    await until(() => other.received('hello').length === 1);
    vi.advanceTimersByTime(1_000);
    await until(() => session.open.size);
    for (const id of idsTo(3)) session.emit(id);
    await first;
    for (let turns = 0; turns < 100; turns += 1) await turn();
    const isOpen = { kind: 'status', status: 'open', lostBy: undefined } as const;
    other.send(isOpen);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    expect(other.received('hello')).toHaveLength(1);
    for (const id of ['2', '3']) expect(await events.next()).toMatchObject({ value: { id } });
    other.send(isOpen);
    await until(() => other.received('hello').length === 2);
    stream.close();
  });

  it('pauses while a thousand events wait for its consumer, and continues when one is taken', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using other = joinChannel(url);
    for (const id of idsTo(3_000)) session.emit(id);
    const stream = openSharedEventStream({ url, identity: 'me' });
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await until(() => other.received('event').length >= 1_000);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    other.send({ kind: 'hello', id: 'late', cursor: undefined });
    await until(() => other.received('welcome').length);
    expect(other.received('welcome')[0]?.events).toHaveLength(1_001);
    for (const id of idsTo(3_000).slice(1)) expect(await events.next()).toMatchObject({ value: { id } });
    stream.close();
  });

  it('delivers nothing and answers nobody once it is closed', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using other = joinChannel(url);
    for (const id of idsTo(3)) session.emit(id);
    const stream = openSharedEventStream({ url, identity: 'me' });
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await until(() => other.received('event').length === 3);
    const second = tab({ url, identity: 'me' });
    await expectIds([second], idsTo(3));
    stream.close();
    expect(await events.next()).toMatchObject({ done: true });
    await until(() => session.server.requests.length === 2);
    const welcomes = () => other.received('welcome').filter((welcome) => welcome.id === 'late').length;
    other.send({ kind: 'hello', id: 'late', cursor: '3' });
    await until(welcomes);
    session.emit('4');
    await until(() => other.received('event').length === 4);
    expect(welcomes()).toBe(1);
    close(second);
  });

  it('starts at once if it may not use locks', async () => {
    vi.useFakeTimers({ toFake: [...fakeTimers] });
    const request = () => Promise.reject(new DOMException('not here', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request } });
    await using session = await sessionServer();
    const reader = tab({ url: session.server.url, identity: 'me' });
    await until(() => session.open.size);
    close(reader);
  });

  it('reads on its own if it may not open a channel, and again when the page is shown again', async () => {
    // As in Firefox while the user blocks all cookies of the site.
    vi.stubGlobal('BroadcastChannel', function refuse() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    const dispatch = openPage();
    await using session = await sessionServer();
    session.emit('1');
    const reader = tab({ url: session.server.url, identity: 'me' });
    await expectIds([reader], ['1']);
    dispatch('pagehide');
    await until(() => session.open.size === 0);
    session.emit('2');
    dispatch('pageshow');
    await expectIds([reader], ['1', '2']);
    close(reader);
    expect(await reader.ended).toBe('ended');
  });
});
