import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { silentLogger } from '../silent-logger.js';

interface Nested {
  readonly bridge: EventBridge;
  /** Emits an event and calls `inside` while the bridge processes it. */
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
  ['it reads a payload', () => opened(() => ({}))],
  ['it asks for private values', () => opened((during) => ({ privateValues: () => (during(), []) }))],
  ['it logs a warning', () => opened((during) => ({ logger: { ...silentLogger, warn: during } }), ' ')],
];

describe.each(places)('a call to a bridge while %s', (_, make) => {
  it('emits its event after the current one, with its own id', async () => {
    const { bridge, emit } = make();
    await emit(() => bridge.emit('inner', {}));
    const events = await bridge.history();
    expect(events.map(({ type }) => type.trim() || 'outer')).toEqual(['first', 'outer', 'inner']);
    expect(events.map(({ id }) => Number(id.split('-')[1]))).toEqual([1, 2, 3]);
  });

  it('ends the turn or the session after the current event', async () => {
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
