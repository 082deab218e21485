import { CONTRACT_EVENT_NAMES } from '@svc/contracts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { arbitraryPayload } from '../payloads/arbitrary-payload.js';
import { silentLogger } from '../silent-logger.js';

const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
const open = (options: EventBridgeOptions = {}) =>
  new EventBridge('s', { logger: silentLogger, privateValues, ...options });

/** Functions that create a bridge of either audience, before or after it has opened its log. */
const bridges = (['internal', 'frontend_safe'] as const).flatMap((audience) =>
  [false, true].map((isOpened) => async (options: EventBridgeOptions) => {
    const bridge = open({ audience, ...options });
    if (isOpened) await bridge.emit('custom', { n: 0 });
    return bridge;
  }),
);

const names = [...CONTRACT_EVENT_NAMES, 'custom'];

const refuse = (): never => {
  throw new RangeError('no');
};
const throwing = () => ({ get inside() { return refuse(); } }); // prettier-ignore
const nested = (levels: number) => {
  let value: unknown = [1n];
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? { value } : [value];
  return value;
};

/** Payloads that cannot be serialized. */
const hostile: Record<string, () => Record<string, unknown>> = {
  'a getter that throws': () => ({ get tool_id() { return refuse(); }, get target_id() { return refuse(); } }), // prettier-ignore
  'a descriptor that throws': () => ({
    tool: throwing(),
    result: throwing(),
    hook: throwing(),
    interrupt: throwing(),
  }),
  'a proxy that throws': () => new Proxy({}, { ownKeys: refuse, get: refuse, has: refuse }),
  'a proxy that throws what has no text': () => {
    const fail = () => {
      throw Object.create(null);
    };
    return new Proxy({}, { ownKeys: fail, get: fail, has: fail });
  },
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'an array whose toJSON throws': () => ({
    memory: { x: 1 },
    extra: Object.assign([1], { toJSON: refuse }),
  }),
  'a cycle': () => {
    const loop: Record<string, unknown> = { args: { q: 1 } };
    loop.extra = [loop];
    return loop;
  },
  'more levels than readers can process': () => ({ extra: nested(1_500) }),
};

describe.each(Object.entries(hostile))('data with %s', (_, make) => {
  it('is replaced by serialization_error in any event', async () => {
    for (const name of names) {
      for (const openBridge of bridges) {
        const bridge = await openBridge({ schemaValidation: 'warn' });
        await bridge.emit(name, make());
        const last = (await bridge.history()).at(-1);
        expect(last).toMatchObject({ type: name, data: { serialization_error: true } });
      }
    }
  });

  it('is refused by a strict bridge in any event, and changes nothing', async () => {
    for (const name of names) {
      for (const openBridge of bridges) {
        const bridge = await openBridge({ schemaValidation: 'strict' });
        const before = await bridge.history();
        await expect(bridge.emit(name, make())).rejects.toMatchObject({ code: 'EVENT_SCHEMA_INVALID' });
        expect(await bridge.history()).toEqual(before);
        expect(bridge.closed).toBe(false);
      }
    }
  });
});

describe('arguments of a typed emit', () => {
  const tool = { toolName: 't', toolId: '1', status: 'executing' };

  it('that throw when read count as data that cannot be serialized', async () => {
    const bridge = open();
    await bridge.emitToolEvent({ ...tool, args: throwing() });
    expect((await bridge.history())[0]?.data).toMatchObject({
      serialization_error: true,
      error_class: 'RangeError',
    });
    await bridge.emitToolEvent(hostile['a revoked proxy']?.() as never);
    expect((await bridge.history())[1]?.data).toMatchObject({ serialization_error: true });
    const strict = open({ schemaValidation: 'strict' });
    await expect(strict.emitToolEvent({ ...tool, args: throwing() })).rejects.toMatchObject({
      code: 'EVENT_SCHEMA_INVALID',
    });
  });

  it('must be an object', async () => {
    await expect(open().emitToolEvent(undefined as never)).rejects.toThrow(
      new TypeError('The tool_event event must be an object, got undefined'),
    );
    await expect(open().emitStatusMessage('Looking' as never)).rejects.toThrow(
      new TypeError('The status_message event must be an object, got string'),
    );
    await expect(open().emitToolEvent(null as never)).rejects.toThrow(/must be an object, got null$/);
    await expect(open().emitError([] as never)).rejects.toThrow(/must be an object, got an array$/);
    await expect(open().emitFinal(undefined as never)).rejects.toThrow(/^The final event must be an object/);
    await expect(open().emitEnrichment('planning' as never)).rejects.toThrow(
      /^The enrichment event must be an object/,
    );
  });
});

describe('data at the limit', () => {
  it('is refused if it is too deep even to be copied', async () => {
    for (const openBridge of bridges) {
      const bridge = await openBridge({ schemaValidation: 'strict' });
      await expect(bridge.emit('custom', { extra: nested(100_000) })).rejects.toMatchObject({
        code: 'EVENT_SCHEMA_INVALID',
      });
    }
  });

  it('reaches either audience in full if it is almost too deep', async () => {
    const bridge = open({ privateValues: () => [] });
    await bridge.emit('custom', { extra: nested(990) });
    await bridge.emitFinal('done');
    for (const audience of ['internal', 'frontend_safe'] as const) {
      let text = '';
      for await (const frame of bridge.generateSse({ audience })) text += frame;
      expect(text.split('"value":')).toHaveLength(496);
      expect(text).toContain('event: final');
    }
  });

  it('is stored in full if it is large', async () => {
    const bridge = open();
    const text = '\u2028"\ud800\\ü'.repeat(50_000);
    await bridge.emitToolEvent({ toolName: 't', toolId: '1', status: 'completed', result: { text } });
    expect((await bridge.history())[0]?.data.result).toEqual({ text });
  });
});

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

describe('a payload', () => {
  test('is never changed by a bridge of either audience, whatever it contains', async () => {
    const logger = { ...silentLogger, error: (message: string) => expect.fail(message) };
    const openSafe = (audience: 'internal' | 'frontend_safe') =>
      open({ audience, logger, schemaValidation: 'off' });
    const bridges = { internal: openSafe('internal'), frontend_safe: openSafe('frontend_safe') };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        arbitraryPayload,
        fc.constantFrom('internal' as const, 'frontend_safe' as const),
        async (name, payload, audience) => {
          if (bridges[audience].closed) bridges[audience] = openSafe(audience);
          const target = {
            ...payload,
            target_type: 'tool',
            target_id: 'SECRET-42',
            hook: { target_id: '1' },
          };
          await bridges[audience].emit(name, freeze(target));
        },
      ),
      { numRuns: 500 },
    );
  });
});
