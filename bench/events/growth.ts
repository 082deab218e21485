import { MemoryEventLog } from '@svc/events';
import type { EventBridge } from '@svc/events';
import { of, openBridge, poolOf } from './bridge-events.ts';
import { measureAsync } from './measure-async.ts';
import type { AsyncCase } from './measure-async.ts';
import { table } from './measure.ts';

const pool = poolOf('small');

const emitting = (bridge: EventBridge): AsyncCase => ({
  count: 10_000,
  async run(times) {
    for (let at = 0; at < times; at += 1) {
      const emitted = bridge.emit(of(pool, at).type, of(pool, at).data);
      if ((at & 63) === 63) await emitted;
    }
  },
});

/** Measures whether an event costs more when there is ten times as much of everything else. */
export async function benchGrowth(): Promise<string> {
  const log = new MemoryEventLog({ maxSessions: 100_000 });
  const base = 'alone';
  const crowded = new MemoryEventLog({ maxSessions: 100_000 });
  for (let at = 0; at < 10_000; at += 1) {
    const other = await openBridge({ log: crowded }, `other ${at}`);
    if (at < 2000) (await other.openReader()).read();
  }
  const costs = await measureAsync(
    {
      [base]: emitting(await openBridge({ log })),
      'with 10,000 other sessions and 2,000 readers': emitting(await openBridge({ log: crowded })),
      'with a history of 5,000': emitting(await openBridge({ maxHistory: 5000 })),
      'with a history of 50,000': emitting(await openBridge({ maxHistory: 50_000 })),
    },
    base,
  );
  return table('Growth: one small event', costs);
}
