import { EventBridge, MemoryEventLog } from '@svc/events';
import { of, openBridge, poolOf } from './bridge-events.ts';

interface Held {
  readonly heap: number;
  readonly outside: number;
}

function held(): Held {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, outside: arrayBuffers };
}

async function cost(count: number, make: (at: number) => Promise<unknown>): Promise<string> {
  const kept: unknown[] = [];
  await make(-1);
  const before = held();
  for (let at = 0; at < count; at += 1) kept.push(await make(at));
  const after = held();
  const [heap, outside] = [(after.heap - before.heap) / count, (after.outside - before.outside) / count];
  return `${Math.round(heap)} | ${Math.round(outside)} |${kept.length === count ? '' : ' !'}`;
}

/** Measures what is held per session and per reader, in bytes. */
export async function benchMemory(): Promise<string> {
  const pool = poolOf('small');
  const log = new MemoryEventLog({ maxSessions: 100_000 });
  const busy = await openBridge({ log }, 'busy');
  const rows = [
    ['an unused bridge', await cost(10_000, async (at) => new EventBridge(`new ${at}`, { log }))],
    ['a session with one event', await cost(10_000, (at) => openBridge({ log }, `one ${at}`))],
    [
      'a session with 500 small events',
      await cost(200, async (at) => {
        const bridge = await openBridge({ log }, `full ${at}`);
        for (let i = 0; i < 500; i += 1) await bridge.emit(of(pool, i).type, of(pool, i).data);
        return bridge;
      }),
    ],
    [
      'an idle reader',
      await cost(10_000, async () => {
        const reader = await busy.openReader();
        while (reader.read() !== undefined);
        return reader;
      }),
    ],
  ];
  const lines = rows.map(([what, figures]) => `| ${what} | ${figures}`);
  return [
    '## Memory, in bytes',
    '',
    '| what | heap | bytes of frames |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
