import type { EventEnvelope } from '@svc/contracts';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openEventStream } from '../../src/connection/open-event-stream.js';
import { RunFeed } from '../../src/store/run-feed.js';
import { createRunStore, type RunStore } from '../../src/store/run-store.js';
import { initialRunState } from '../../src/state/run-state.js';
import { event, toolEvent } from '../state/events.js';
import { frame, status, stream, streamServer } from '../stream-server.js';

/** A schedule whose changes are made when the test calls `draw`. */
function frames() {
  const changes: (() => void)[] = [];
  return {
    schedule: (change: () => void) => void changes.push(change),
    draw: () => {
      for (const change of changes.splice(0)) change();
    },
    get waiting() {
      return changes.length;
    },
  };
}

/** A source of events that the test feeds. */
function source() {
  const events: EventEnvelope[] = [];
  let wake: () => void = () => undefined;
  let failure: unknown;
  let ended = false;
  async function* read() {
    for (;;) {
      const next = events.shift();
      if (next) yield next;
      else if (failure) throw failure;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const act = async (change: () => void) => {
    change();
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    events: read(),
    push: (...more: EventEnvelope[]) => act(() => void events.push(...more)),
    fail: (error: unknown) => act(() => void (failure = error)),
    end: () => act(() => void (ended = true)),
  };
}

describe('createRunStore', () => {
  it('notifies once per frame, and keeps the same snapshot until then', async () => {
    const { events, push } = source();
    const page = frames();
    const { draw } = page;
    const store = createRunStore(events, page);
    const listener = vi.fn();
    store.subscribe(listener);
    const before = store.snapshot();
    expect(before).toEqual({ ...initialRunState, connection: 'connecting', failure: null });
    await push(toolEvent('t1', 'executing'), toolEvent('t2', 'executing'), toolEvent('t1', 'completed'));
    expect(page.waiting).toBe(1);
    expect(store.snapshot()).toBe(before);
    expect(listener).not.toHaveBeenCalled();
    draw();
    expect(listener).toHaveBeenCalledOnce();
    const after = store.snapshot();
    expect(after.turns[0]?.cards.map(({ status: at }) => at)).toEqual(['completed', 'running']);
    expect(store.snapshot()).toBe(after);
    expect(after.connection).toBe('open');
    draw();
    expect(store.snapshot()).toBe(after);
  });

  it('shows that its source has ended, and the error that ended it', async () => {
    const one = source();
    const store = createRunStore(one.events, frames());
    await one.push(event('final'));
    await one.end();
    expect(store.snapshot()).toMatchObject({
      connection: 'closed',
      failure: null,
      turns: [{ status: 'completed' }],
    });

    const other = source();
    const failed = createRunStore(other.events, frames());
    const error = new Error('refused');
    await other.fail(error);
    expect(failed.snapshot()).toMatchObject({ connection: 'closed', failure: error });
  });

  it('reads nothing and notifies nobody after close, which may be called twice', async () => {
    const { events, push } = source();
    const { schedule, draw } = frames();
    const store = createRunStore(events, { schedule });
    await push(toolEvent('t1', 'executing'));
    store.close();
    store.close();
    const listener = vi.fn();
    const unsubscribe = store.subscribe(listener);
    await push(toolEvent('t1', 'completed'));
    draw();
    unsubscribe();
    expect(listener).not.toHaveBeenCalled();
    expect(store.snapshot()).toMatchObject({
      connection: 'closed',
      turns: [{ cards: [{ status: 'running' }] }],
    });
  });

  it('applies a replay as one change, however many chunks and frames it takes', async () => {
    let finish: () => void = () => undefined;
    await using server = await streamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: replay\n\n${frame('1', 'tool_event', { tool: { id: 't1', status: 'executing' } })}`);
      finish = () => {
        response.write(`${frame('2', 'tool_event', { tool: { id: 't1', status: 'completed' } })}: live\n\n`);
      };
    });
    const { schedule, draw } = frames();
    const events = openEventStream({ url: server.url });
    await using store = createRunStore(events, { schedule });
    const statuses: unknown[] = [];
    store.subscribe(
      () => void statuses.push([store.snapshot().connection, store.snapshot().turns[0]?.cards[0]?.status]),
    );
    // Frames are drawn while the replay arrives.
    const drawing = setInterval(draw, 1);
    try {
      await expect.poll(() => [events.status, events.lastEventId]).toEqual(['replaying', '1']);
      draw();
      expect(statuses.filter((entry) => JSON.stringify(entry) !== '["open",null]')).toEqual([]);
      finish();
      await expect.poll(() => statuses.at(-1)).toEqual(['open', 'completed']);
      expect(statuses).not.toContainEqual(['open', 'running']);
    } finally {
      clearInterval(drawing);
    }
  });

  it.each([null, undefined])('refuses %s as its source at once', (nothing) => {
    expect(() => createRunStore(nothing as never)).toThrow(TypeError);
  });

  it('reports a refused stream as its failure', async () => {
    await using server = await streamServer(status(403));
    const store = createRunStore(openEventStream({ url: server.url }));
    await new Promise<void>((resolve) => void store.subscribe(resolve));
    expect(store.snapshot()).toMatchObject({ connection: 'closed', failure: { statusCode: 403 } });
  });

  it.each([
    ['closed', (store: RunStore) => store.close()],
    ['disposed', (store: RunStore) => store[Symbol.asyncDispose]()],
  ])('disconnects when it is %s', async (_, close) => {
    const onClose = vi.fn();
    await using server = await streamServer((response, request) => {
      request.socket.once('close', onClose);
      stream(frame('1', 'a'), { stayOpen: true })(response, request);
    });
    const store = createRunStore(openEventStream({ url: server.url }));
    await expect.poll(() => server.requests).toHaveLength(1);
    await close(store);
    // Well before the store would give up a silent connection.
    await expect.poll(() => onClose.mock.calls, { timeout: 10_000 }).toHaveLength(1);
  });
});

describe('a released source', () => {
  it.each(['sends more', 'ends'])('does not affect the source after it when it %s', async (what) => {
    const feed = new RunFeed((change) => change());
    const [one, other] = [source(), source()];
    const first = feed.follow(one.events);
    await one.push(toolEvent('t1', 'executing'));
    feed.close(undefined, 'connecting');
    const second = feed.follow(other.events);
    await (what === 'ends' ? one.end() : one.push(toolEvent('t1', 'completed')));
    await first;
    await other.push(toolEvent('t2', 'executing'));
    expect(feed.snapshot()).toMatchObject({
      connection: 'open',
      turns: [{ cards: [{ status: 'running' }, { id: 't2' }] }],
    });
    await other.end();
    await second;
    expect(feed.snapshot().connection).toBe('closed');
  });
});

/** A store in a page whose frames the test draws; its timers are fake. */
function inFrames() {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const drawn: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (change: () => void) => drawn.push(change));
  const { events, push } = source();
  const store = createRunStore(events);
  onTestFinished(() => store.close());
  const listener = vi.fn();
  store.subscribe(listener);
  return { drawn, push, listener };
}

describe('a run store without a schedule', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([null, { schedule: null }])('treats %j as no options', async (options) => {
    const { events, push } = source();
    const store = createRunStore(events, options);
    const notified = new Promise<void>((resolve) => store.subscribe(resolve));
    await push(event('final'));
    await notified;
    expect(store.snapshot()).toMatchObject({ turns: [{ status: 'completed' }], failure: null });
    store.close();
  });

  it('notifies with the next frame, or soon in a hidden page without frames', async () => {
    const { drawn, push, listener } = inFrames();
    await push(event('final'));
    drawn[0]?.();
    expect(listener).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(32);
    expect(listener).toHaveBeenCalledOnce();
    await push(event('final'));
    vi.advanceTimersByTime(32);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('notifies once per frame, although every frame also has a timer', async () => {
    const { drawn, push, listener } = inFrames();
    await push(event('assistant_chunk'));
    drawn[0]?.();
    vi.advanceTimersByTime(16);
    await push(event('assistant_chunk'));
    // The first change's timer; the second change waits for its own frame.
    vi.advanceTimersByTime(16);
    expect(listener).toHaveBeenCalledOnce();
    await push(event('assistant_chunk'));
    expect(drawn).toHaveLength(2);
    drawn[1]?.();
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
