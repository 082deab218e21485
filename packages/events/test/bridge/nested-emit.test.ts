import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { silentLogger } from '../silent-logger.js';

interface Nested {
  readonly bridge: EventBridge;
  /** Makes an event in whose middle something else is asked of the bridge. */
  readonly emit: (inside: () => Promise<void>) => Promise<void>;
}

function opened(options: (during: () => void) => EventBridgeOptions, name = 'outer'): Nested {
  let inside: (() => Promise<void>) | undefined;
  const asked: Promise<void>[] = [];
  const during = () => {
    const ask = inside;
    inside = undefined;
    if (ask !== undefined) asked.push(ask());
  };
  const bridge = new EventBridge('s', { logger: silentLogger, ...options(during) });
  const payload = { get value() { during(); return 1; } }; // prettier-ignore
  return {
    bridge,
    emit: async (ask) => {
      await bridge.emit('first', {});
      inside = ask;
      await bridge.emit(name, payload);
      await Promise.all(asked);
      expect(asked).toHaveLength(1);
    },
  };
}

const places: [string, () => Nested][] = [
  ['its payload is read', () => opened(() => ({}))],
  ['private values are asked for', () => opened((during) => ({ privateValues: () => (during(), []) }))],
  ['a warning is logged', () => opened((during) => ({ logger: { ...silentLogger, warn: during } }), ' ')],
];

describe.each(places)('what is asked of a bridge while %s', (_, make) => {
  it('is an event after this one, under an id of its own', async () => {
    const { bridge, emit } = make();
    await emit(() => bridge.emit('inner', {}));
    const events = await bridge.history();
    expect(events.map(({ type }) => type.trim() || 'outer')).toEqual(['first', 'outer', 'inner']);
    expect(events.map(({ id }) => Number(id.split('-')[1]))).toEqual([1, 2, 3]);
  });

  it('ends the turn or the session after it', async () => {
    for (const end of ['emitFinal', 'close'] as const) {
      const { bridge, emit } = make();
      await emit(() => (end === 'close' ? bridge.close() : bridge.emitFinal('done')));
      expect(bridge.closed).toBe(true);
      await bridge.emit('late', {});
      const types = (await bridge.history()).map(({ type }) => type.trim() || 'outer');
      expect(types).toEqual(['first', 'outer', ...(end === 'close' ? [] : ['final'])]);
    }
  });
});
