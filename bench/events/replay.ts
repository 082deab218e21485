import { bareFrame, of, openBridge, poolOf } from './bridge-events.ts';
import type { Size } from './bridge-events.ts';
import { measureAsync } from './measure-async.ts';
import { table } from './measure.ts';

/** Measures one replay in this process against copying the same bytes once. */
export async function benchReplay(): Promise<string> {
  const tables: string[] = [];
  for (const [events, size] of [
    [500, 'small'],
    [500, 'large'],
    [10_000, 'small'],
  ] as const) {
    tables.push(await benchOne(events, size));
  }
  return tables.join('\n');
}

async function benchOne(events: number, size: Size): Promise<string> {
  const pool = poolOf(size);
  const bridge = await openBridge({ maxHistory: events + 1 });
  for (let at = 0; at < events; at += 1) await bridge.emit(of(pool, at).type, of(pool, at).data);
  const cursor = (await bridge.history())[0]?.id ?? '';
  const same = Buffer.concat(Array.from({ length: events }, (_, at) => bareFrame(at, of(pool, at))));
  let used = 0;
  const count = events > 1000 ? 100 : 1000;
  const replay = (audience: 'internal' | 'frontend_safe') => ({
    count,
    async run(times: number) {
      for (let at = 0; at < times; at += 1) {
        const reader = await bridge.openReader({ lastEventId: cursor, audience });
        while (!reader.isCaughtUp) {
          for (let bytes = reader.read(); bytes !== undefined; bytes = reader.read()) used += bytes.length;
          if (!reader.isCaughtUp) await reader.readable();
        }
        reader.close();
      }
    },
  });
  const copy = {
    count,
    async run(times: number) {
      for (let at = 0; at < times; at += 1) used += Buffer.from(same).length;
    },
  };
  const base = 'one copy of bare frames';
  const costs = await measureAsync(
    {
      [base]: copy,
      'replay to a reader': replay('internal'),
      'replay to a frontend_safe reader': replay('frontend_safe'),
    },
    base,
  );
  await bridge.close();
  return table(`Replay of ${events} ${size} events: one reader`, costs);
}
