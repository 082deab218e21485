import type { EventBridge, EventBridgeOptions } from '@svc/events';
import { bareFrame, of, openBridge, poolOf, values } from './bridge-events.ts';
import type { Size } from './bridge-events.ts';
import { measureAsync } from './measure-async.ts';
import type { AsyncCase } from './measure-async.ts';
import { table } from './measure.ts';

const base = 'JSON.stringify + frame + Buffer';
const privateValues = () => values;

/** Measures emitting without readers: rebuild, identify, dedupe, validate, sanitize, serialize, append. */
export async function benchEmit(): Promise<string> {
  return `${await benchSize('small', 50_000)}\n${await benchSize('large', 10_000)}`;
}

async function benchSize(size: Size, count: number): Promise<string> {
  const pool = poolOf(size);
  let used = 0;
  const bare: AsyncCase = {
    count,
    async run(times) {
      for (let at = 0; at < times; at += 1) {
        used ^= bareFrame(at, of(pool, at)).length;
        if ((at & 63) === 63) await Promise.resolve();
      }
    },
  };
  const emitting = async (options: EventBridgeOptions): Promise<AsyncCase> => {
    const bridge = await openBridge(options);
    return { count, run: (times) => emitAll(bridge, times) };
  };
  const emitAll = async (bridge: EventBridge, times: number) => {
    for (let at = 0; at < times; at += 1) {
      const { type, data } = of(pool, at);
      const emitted = bridge.emit(type, data);
      if ((at & 63) === 63) await emitted;
    }
  };
  const costs = await measureAsync(
    {
      [base]: bare,
      'emit, internal': await emitting({}),
      'emit, internal, no validation': await emitting({ schemaValidation: 'off' }),
      'emit, frontend_safe': await emitting({ audience: 'frontend_safe' }),
      'emit, internal, 20 private values': await emitting({ privateValues }),
      'emit, frontend_safe, 20 private values': await emitting({ audience: 'frontend_safe', privateValues }),
    },
    base,
  );
  return table(`Emit, ${size} events, no reader`, costs);
}
