import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSharedEventStream } from '../../src/tabs/open-shared-event-stream.js';
import { all, close, has, lead, listen, sessionServer, tab } from './tabs.js';

const test = { isOver: false };
beforeEach(() => void (test.isOver = false));
afterEach(() => {
  test.isOver = true;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ofTimers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Waits on what other tabs and the server do, which is no matter of the clock. */
const until = async (isSo: () => unknown) => {
  while (!test.isOver && !isSo()) await turn();
};

const event = (id: string, type = 'a') => ({ id, type, timestamp: '', data: {} });

/** The window of the tabs that are opened from now on. */
function openPage() {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return (type: 'pagehide' | 'pageshow') => page.dispatchEvent(new Event(type));
}

describe('a tab in a page that is left', () => {
  it('lets another tab go on, and follows when it is shown again', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using ear = listen(url);
    const tell = openPage();
    const leader = tab({ url, identity: 'me' });
    vi.unstubAllGlobals();
    await expect.poll(() => session.open.size).toBe(1);
    const other = tab({ url, identity: 'me' });
    tell('pageshow');
    session.emit('1');
    await has([leader, other], ['1']);
    tell('pagehide');
    expect(leader.stream.status).toBe('connecting');
    await expect.poll(() => session.server.requests).toHaveLength(2);
    session.emit('2');
    await has([other], ['1', '2']);
    expect(leader.ids).toEqual(['1']);
    tell('pageshow');
    await has([leader], ['1', '2']);
    expect(leader.stream.status).toBe('open');
    const welcomes = () => ear.of('welcome').filter((welcome) => welcome.tab === 'third').length;
    ear.say({ kind: 'hello', tab: 'third', cursor: '1' });
    await until(welcomes);
    session.emit('3');
    await has([leader, other], all(3));
    expect(welcomes()).toBe(1);
    expect(session.server.requests).toHaveLength(2);
    close(other);
    await expect.poll(() => session.open.size).toBe(1);
    session.emit('4');
    await has([leader], all(4));
    close(leader);
    tell('pageshow');
    expect(leader.stream.status).toBe('closed');
  });

  it('comes back by itself where the page runs on, and leaves no timer behind when it ends', async () => {
    vi.useFakeTimers({ toFake: [...ofTimers] });
    await using session = await sessionServer();
    const tell = openPage();
    const only = tab({ url: session.server.url, identity: 'me' });
    await until(() => session.open.size);
    session.emit('1');
    await until(() => only.ids.length);
    tell('pagehide');
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
    tell('pagehide');
    await until(() => !session.open.size);
    await until(() => vi.getTimerCount() === 0);
  });
});

describe('a tab that follows', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...ofTimers] }));

  it('takes what follows on what it has, and asks once for what it has missed', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    const letGo = lead(url);
    using other = listen(url);
    const follower = tab({ url, identity: 'me' });
    const greeted = (times: number) => until(() => other.of('hello').length === times);
    const welcome = (to: string | undefined, ...ids: string[]) =>
      other.say({
        kind: 'welcome',
        tab: `${to}`,
        events: ids.map((id) => event(id)),
        status: 'open',
        lostBy: undefined,
      });
    const pass = (after: string | undefined, id: string, type?: string) =>
      other.say({ kind: 'event', event: event(id, type), after });
    await greeted(1);
    const me = other.of('hello')[0]?.tab;
    pass('8', '9');
    welcome('another tab', '7');
    welcome(me, '1');
    pass('1', '');
    await until(() => follower.ids.length === 2);
    expect(follower.stream.lastEventId).toBe('1');
    pass(undefined, '1');
    pass('1', '2');
    pass('2', '2', 'stream_gap');
    pass('4', '5');
    pass('5', '6');
    await greeted(2);
    welcome(me, '3', '4', '5', '6');
    pass('8', '9');
    await greeted(3);
    expect(follower.ids).toEqual(['1', '', '2', '2', '3', '4', '5', '6']);
    expect(other.of('hello').map(({ cursor }) => cursor)).toEqual([undefined, '2', '6']);
    close(follower);
    letGo();
    expect([session.server.requests, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('greets a tab that says it leads, and reads for itself when nobody is heard for long', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    const letGo = lead(url);
    using other = listen(url);
    const follower = tab({ url, identity: 'me' });
    await until(() => other.of('hello').length === 1);
    other.say({ kind: 'status', status: 'open', lostBy: undefined });
    await until(() => other.of('hello').length === 2);
    vi.advanceTimersByTime(89_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await until(() => session.open.size);
    close(follower);
    letGo();
  });

  it('asks the server for what it has missed when it hears of the end before it is answered', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    for (const [id, type] of [['1'], ['2'], ['3', 'session_end']] as const) session.emit(id, type);
    const letGo = lead(url);
    using other = listen(url);
    const follower = tab({ url, identity: 'me', lastEventId: '1' });
    await until(() => other.of('hello').length === 1);
    other.say({ kind: 'end', refused: undefined });
    expect([await follower.ended, follower.ids]).toEqual(['ended', ['2', '3']]);
    letGo();
  });

  it('reads for itself when a thousand events wait for its consumer', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    const letGo = lead(url);
    using other = listen(url);
    const follower = openSharedEventStream({ url, identity: 'me' });
    const events = follower[Symbol.asyncIterator]();
    const first = events.next();
    await until(() => other.of('hello').length);
    const [hello] = other.of('hello');
    other.say({
      kind: 'welcome',
      tab: `${hello?.tab}`,
      events: [event('1')],
      status: 'open',
      lostBy: undefined,
    });
    await first;
    for (let id = 2; id <= 1_001; id += 1)
      other.say({ kind: 'event', event: event(`${id}`), after: `${id - 1}` });
    await until(() => session.open.size);
    expect(session.server.cursors()).toEqual(['1001']);
    follower.close();
    expect(await events.next()).toMatchObject({ done: true });
    letGo();
  });
});

describe('a tab that reads', () => {
  it('for itself neither passes events on nor listens to who leads; once it leads it says so, again and again', async () => {
    vi.useFakeTimers({ toFake: [...ofTimers] });
    await using session = await sessionServer();
    const { url } = session.server;
    const letGo = lead(url);
    using other = listen(url);
    const reader = tab({ url, identity: 'me' });
    await until(() => other.of('hello').length);
    const [hello] = other.of('hello');
    other.say({
      kind: 'welcome',
      tab: `${hello?.tab}`,
      events: undefined,
      status: 'open',
      lostBy: undefined,
    });
    await until(() => session.open.size);
    session.emit('1');
    await until(() => reader.ids.length);
    other.say({ kind: 'status', status: 'replaying', lostBy: 'nothing' });
    other.say({ kind: 'end', refused: 403 });
    session.emit('2');
    await until(() => reader.ids.length > 1);
    expect([reader.stream.status, reader.stream.lastError, other.of('status')]).toEqual([
      'open',
      undefined,
      [],
    ]);
    letGo();
    await until(() => other.of('status').length === 1);
    vi.advanceTimersByTime(20_000);
    await until(() => other.of('status').length === 2);
    expect(other.of('event')).toEqual([]);
    session.emit('3');
    await until(() => other.of('event').length === 1);
    close(reader);
    await until(() => vi.getTimerCount() === 0);
  });

  it('stops at a thousand events that wait for its consumer, and goes on when one is taken', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using other = listen(url);
    for (const id of all(3_000)) session.emit(id);
    const stream = openSharedEventStream({ url, identity: 'me' });
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await until(() => other.of('event').length >= 1_000);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    other.say({ kind: 'hello', tab: 'late', cursor: undefined });
    await until(() => other.of('welcome').length);
    expect(other.of('welcome')[0]?.events).toHaveLength(1_001);
    for (const id of all(3_000).slice(1)) expect(await events.next()).toMatchObject({ value: { id } });
    stream.close();
  });

  it('hands nothing out and answers nobody once it is closed', async () => {
    await using session = await sessionServer();
    const { url } = session.server;
    using other = listen(url);
    for (const id of all(3)) session.emit(id);
    const stream = openSharedEventStream({ url, identity: 'me' });
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await until(() => other.of('event').length === 3);
    const second = tab({ url, identity: 'me' });
    await has([second], all(3));
    stream.close();
    expect(await events.next()).toMatchObject({ done: true });
    await until(() => session.server.requests.length === 2);
    const welcomes = () => other.of('welcome').filter((welcome) => welcome.tab === 'late').length;
    other.say({ kind: 'hello', tab: 'late', cursor: '3' });
    await until(welcomes);
    session.emit('4');
    await until(() => other.of('event').length === 4);
    expect(welcomes()).toBe(1);
    close(second);
  });

  it('does so at once where it may not wait for the lead', async () => {
    vi.useFakeTimers({ toFake: [...ofTimers] });
    const request = () => Promise.reject(new DOMException('not here', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request } });
    await using session = await sessionServer();
    const reader = tab({ url: session.server.url, identity: 'me' });
    await until(() => session.open.size);
    close(reader);
  });
});
