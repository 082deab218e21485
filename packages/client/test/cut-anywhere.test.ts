import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventBridge, type EventLog, MemoryEventLog } from '@svc/events';
import { sqliteEventLog } from '@svc/events/sqlite';
import { type Chaos, chaosProxy } from '@svc/events/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { initialRunState, openEventStream, reduceRun, type RunState } from '../src/index.js';
import { startMountedServer } from './mounted-server.js';

// A reader that is cut off reconnects at once.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** Emits a short turn with everything that a page shows. */
async function emitTurn(bridge: EventBridge): Promise<void> {
  const tool = { toolName: 'search', toolId: 't1' };
  await bridge.emitToolEvent({ ...tool, status: 'executing', args: { q: 'größe' } });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'Es ist ' });
  await bridge.emitToolEvent({ ...tool, status: 'completed', result: '😀' });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: '4\n Grad' });
  await bridge.emitStatusMessage({ assistantId: 'a', message: 'Fast fertig' });
  await bridge.emitFinal('Es ist 4 Grad');
}

/** Reads a session to its end; returns what a page shows then, and the ids of the events in their order. */
async function view(url: string): Promise<{ state: RunState; ids: string[]; malformed: number }> {
  const stream = openEventStream({ url });
  let state = initialRunState;
  const ids: string[] = [];
  for await (const event of stream) {
    ids.push(event.id);
    state = reduceRun(state, event);
  }
  return { state, ids, malformed: stream.malformedFrames };
}

/** Starts a server with an ended session, and a proxy that applies the faults in a URL's query to its first response. */
async function serve(log: EventLog) {
  const server = await startMountedServer();
  const bridge = server.bridge('s1', { audience: 'frontend_safe', log });
  await emitTurn(bridge);
  await bridge.close();
  const seen = new Set<string>();
  const proxy = await chaosProxy(server.origin, ({ path }) => {
    if (seen.has(path)) return {};
    seen.add(path);
    const { searchParams } = new URL(path, server.origin);
    return JSON.parse(searchParams.get('chaos') ?? '{}') as Chaos;
  });
  const response = await fetch(server.url('s1'));
  return {
    bytes: (await response.arrayBuffer()).byteLength,
    uncut: await view(server.url('s1')),
    through: (chaos: Chaos, run = 0) =>
      view(`${proxy.url}/svc/events/s1?run=${run}&chaos=${encodeURIComponent(JSON.stringify(chaos))}`),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Runs `act` for each item, 16 at a time. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** Pseudo-random positions, the same in every run. */
function seeded(count: number, below: number): number[] {
  let seed = 20_261_120;
  return Array.from({ length: count }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below);
}

const kinds = ['cutAtByte', 'halfCloseAtByte', 'stallAtByte'] as const;

describe('a page over the memory log', () => {
  it('shows the same after a cut at any byte of the stream', async () => {
    await using session = await serve(new MemoryEventLog());
    expect(session.bytes).toBeGreaterThan(2_000);
    expect(session.uncut.state.turns).toMatchObject([
      { status: 'completed', cards: [{ id: 't1', status: 'completed' }, { text: 'Es ist 4\n Grad' }, {}] },
    ]);
    const places = Array.from({ length: session.bytes + 1 }, (_, place) => place);
    await forEach(places, async (cutAtByte) => {
      expect({ cutAtByte, ...(await session.through({ cutAtByte })) }).toEqual({
        cutAtByte,
        ...session.uncut,
      });
    });
  });

  it('shows the same if the stream is half-closed, stalled, duplicated or split', async () => {
    await using session = await serve(new MemoryEventLog());
    const places = seeded(60, session.bytes);
    const chaos = places.map((place, index): Chaos => {
      const chunkBytes = [1, 7, 64, undefined][index % 4];
      return {
        [kinds[index % 3] ?? 'cutAtByte']: place,
        stallMs: 2,
        duplicatesFrames: index % 5 === 0,
        ...(chunkBytes && { chunkBytes }),
      };
    });
    let run = 0;
    await forEach(chaos, async (each) => {
      expect({ each, ...(await session.through(each, (run += 1))) }).toEqual({ each, ...session.uncut });
    });
  });
});

describe('a page that reads a running session', () => {
  it('shows every turn, wherever the connection breaks', async () => {
    await using server = await startMountedServer();
    const places = seeded(40, 6_000);
    const chaos = new Map<string, Chaos>();
    const proxy = await chaosProxy(server.origin, ({ path }) => {
      const plan = chaos.get(path) ?? {};
      chaos.delete(path);
      return plan;
    });
    await forEach([...places.entries()], async ([run, place]) => {
      const bridge = server.bridge(`live-${run}`, { audience: 'frontend_safe' });
      const path = `/svc/events/live-${run}`;
      // Nothing breaks before the first event, of some 620 bytes: a reader without a cursor gets only the current turn.
      chaos.set(path, { [kinds[run % 3] ?? 'cutAtByte']: 700 + place, stallMs: 1, chunkBytes: 100 });
      const reading = view(`${proxy.url}${path}`);
      await bridge.waitForSubscriber({ timeoutMs: 10_000 });
      for (const isFirst of [true, false]) {
        if (!isFirst) await bridge.reopen();
        await emitTurn(bridge);
        if (isFirst) await new Promise((resolve) => setTimeout(resolve, run % 7));
      }
      await bridge.close();
      const { state, ids } = await reading;
      const turn = [
        { id: 't1', status: 'completed' },
        { text: 'Es ist 4\n Grad' },
        { message: 'Fast fertig' },
      ];
      expect({ run, turns: state.turns }).toMatchObject({
        run,
        turns: [
          { status: 'completed', cards: turn },
          { status: 'completed', cards: turn },
        ],
      });
      expect(new Set(ids).size).toBe(ids.length);
    });
    await proxy.close();
  });
});

describe('a page over an SQLite log', () => {
  it('shows the same after faults at 200 positions', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-cut-'));
    const log = sqliteEventLog({ path: join(directory, 'events.db') });
    try {
      await using session = await serve(log);
      const places = seeded(200, session.bytes);
      await forEach([...places.entries()], async ([run, place]) => {
        const chaos = { [kinds[run % 3] ?? 'cutAtByte']: place, stallMs: 1 };
        expect({ chaos, ...(await session.through(chaos, run)) }).toEqual({ chaos, ...session.uncut });
      });
    } finally {
      await log.close();
      await rm(directory, { recursive: true });
    }
  });
});
