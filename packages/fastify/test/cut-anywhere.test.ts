import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialRunState, openEventStream, reduceRun, type RunState } from '@svc/client';
import { BridgeRegistry, EventBridge, type EventLog, MemoryEventLog } from '@svc/events';
import { sqliteEventLog } from '@svc/events/sqlite';
import { type Chaos, chaosProxy } from '@svc/events/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, open } from './app.js';

// So that a reader that was cut off comes back at once.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** A short turn in which happens what a page shows. */
async function tell(bridge: EventBridge): Promise<void> {
  const tool = { toolName: 'search', toolId: 't1' };
  await bridge.emitToolEvent({ ...tool, status: 'executing', args: { q: 'größe' } });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: 'Es ist ' });
  await bridge.emitToolEvent({ ...tool, status: 'completed', result: '😀' });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: '4\n Grad' });
  await bridge.emitStatusMessage({ assistantId: 'a', message: 'Fast fertig' });
  await bridge.emitFinal('Es ist 4 Grad');
}

/** What a page shows after reading the session to its end, and how often each event came. */
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

/** A server with the session told, and a proxy that does to the first answer of each address what its query asks for. */
async function serve(log: EventLog) {
  const registry = new BridgeRegistry();
  const server = await listen({ registry });
  const bridge = registry.getOrCreate('s1', () => new EventBridge('s1', { audience: 'frontend_safe', log }));
  await tell(bridge);
  await bridge.close();
  const seen = new Set<string>();
  const proxy = await chaosProxy(server.origin, ({ path }) => {
    if (seen.has(path)) return {};
    seen.add(path);
    const { searchParams } = new URL(path, server.origin);
    return JSON.parse(searchParams.get('chaos') ?? '{}') as Chaos;
  });
  const { text, ended } = await open(server.url());
  await ended;
  return {
    bytes: Buffer.byteLength(text()),
    uncut: await view(server.url()),
    through: (chaos: Chaos, run = 0) =>
      view(`${proxy.url}/svc/events/s1?run=${run}&chaos=${encodeURIComponent(JSON.stringify(chaos))}`),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Does this for each, a few at a time. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** Places that are the same in every run. */
function seeded(count: number, below: number): number[] {
  let seed = 20_261_120;
  return Array.from({ length: count }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below);
}

const kinds = ['cutAtByte', 'halfCloseAtByte', 'stallAtByte'] as const;

describe('over the memory log', () => {
  it('shows the same after a cut at any byte', async () => {
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

  it('shows the same when it is half closed, stalled, sent twice or in pieces', async () => {
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

describe('while a session goes on', () => {
  it('shows every turn, whatever breaks where', async () => {
    await using server = await listen();
    const places = seeded(40, 6_000);
    const chaos = new Map<string, Chaos>();
    const proxy = await chaosProxy(server.origin, ({ path }) => {
      const plan = chaos.get(path) ?? {};
      chaos.delete(path);
      return plan;
    });
    await forEach([...places.entries()], async ([run, place]) => {
      const bridge = server.bridge(`live-${run}`);
      const path = `/svc/events/live-${run}`;
      // The first event, of some 620 bytes, has come before anything breaks: who has seen nothing is given the turn that is on.
      chaos.set(path, { [kinds[run % 3] ?? 'cutAtByte']: 700 + place, stallMs: 1, chunkBytes: 100 });
      const reading = view(`${proxy.url}${path}`);
      await bridge.waitForSubscriber({ timeoutMs: 10_000 });
      for (const isFirst of [true, false]) {
        if (!isFirst) await bridge.reopen();
        await tell(bridge);
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

describe('over a sqlite log', () => {
  it('shows the same after trouble at 200 places', async () => {
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
