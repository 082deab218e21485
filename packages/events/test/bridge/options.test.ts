import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { BridgeRegistry } from '../../src/bridge/registry.js';
import { forwardNormalizedEvent } from '../../src/forward/forward.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';
import { silentLogger } from '../silent-logger.js';

describe('the constructor', () => {
  it.each([
    ['audiance', { audiance: 'frontend_safe' }],
    ['audience', { audience: 'everybody' }],
    ['audience', { audience: ['internal'] }],
    ['audience', { audience: ['FRONTEND_SAFE'] }],
    ['maxHistory', { maxHistory: 0 }],
    ['maxHistory', { maxHistory: Object.create(null) }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: 2 ** 31 }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: Object.create(null) }],
    ['queueMaxsize', { queueMaxsize: -1 }],
    ['backpressure', { backpressure: 'drop' }],
    ['backpressure', { backpressure: 1n }],
    ['schemaValidation', { schemaValidation: 'loose' }],
    ['dedupeInterrupts', { dedupeInterrupts: 'yes' }],
    ['log', { log: { append: () => {} } }],
    ['log', { log: {} }],
    ['logger', { logger: { warn: () => {} } }],
    ['logger', { logger: { warn: () => {}, error: () => {} } }],
    ['privateValues', { privateValues: [{ name: 'token', value: 'tok_9f31' }] }],
  ])('names %s in the error for %o', (name, options) => {
    // @ts-expect-error some of these do not compile, which is intended
    expect(() => new EventBridge('session-1', options)).toThrow(name);
  });
});

it('treats null like an absent option', async () => {
  const nothing = JSON.parse('null');
  const defaults = new EventBridge('session-1');
  for (const options of [
    nothing,
    { audience: nothing, maxHistory: nothing, log: nothing, privateValues: nothing },
  ]) {
    const bridge = new EventBridge('session-1', options);
    expect(bridge.audience).toBe(defaults.audience);
    await forwardNormalizedEvent(
      { event_name: 'final', contract_version: 'v1', response: 'done' },
      { bridge },
    );
    expect(await bridge.history()).toHaveLength(1);
    await forwardNormalizedEvent({ event_name: 'final', contract_version: 'v1' }, nothing);
    const nulls = { audience: nothing, heartbeatIntervalMs: nothing, signal: nothing, lastEventId: nothing };
    for (const reader of [nothing, nulls]) {
      const { value } = await bridge.generateSse(reader).next();
      expect(value).toContain('event: final');
      const response = await bridge.toResponse(new Request('http://localhost/'), reader);
      expect(await response.text()).toContain('event: final');
      (await bridge.openReader(reader)).close();
    }
  }
  for (const options of [nothing, { maxSessions: nothing, create: nothing }]) {
    await using registry = new BridgeRegistry(options);
    expect(registry.getOrCreate('s').audience).toBe(defaults.audience);
  }
  await new MemoryEventLog(nothing).close();
  await new MemoryEventLog({ maxSessions: nothing }).close();
  await sqliteEventLog({ path: ':memory:', pollIntervalMs: nothing, retentionMs: nothing }).close();
});

it('gives a new reader the newest 500 events by default', async () => {
  const bridge = new EventBridge('s');
  for (let n = 1; n <= 510; n += 1) await bridge.emit('custom', { n });
  const history = await bridge.history();
  expect([history.length, history[0]?.data.n]).toEqual([500, 11]);
});

describe('options with a prototype', () => {
  it('are read with their inherited fields, also beside a null', async () => {
    const [audience, logger] = ['frontend_safe', silentLogger] as const;
    expect(new EventBridge('s', Object.create({ audience })).audience).toBe(audience);
    const beside = Object.assign(Object.create({ audience }), { maxHistory: null });
    expect(new EventBridge('s', beside).audience).toBe(audience);
    class Options {
      get audience() {
        return audience;
      }
    }
    expect(new EventBridge('s', new Options()).audience).toBe(audience);
    const bridge = new EventBridge('s', { logger });
    await bridge.emitError({ error: 'refused', details: { host: 'db-1' } });
    for (const read of [
      async (options: object) => (await bridge.generateSse(options).next()).value,
      async (options: object) => (await bridge.toResponse(new Request('http://localhost/'), options)).text(),
    ])
      expect(await read(Object.create({ audience }))).not.toContain('db-1');
  });

  it('are refused with an unknown inherited field', () => {
    expect(() => new EventBridge('s', Object.create({ audiance: 'internal' }))).toThrow(
      /^EventBridge: unknown option 'audiance'/,
    );
  });
});

it.each([
  ['a Map: use Object.fromEntries(map)', new Map([['audience', 'frontend_safe']])],
  ['an iterable', new Set(['frontend_safe'])],
  ['an array', [['audience', 'frontend_safe']]],
  ['function', () => 'frontend_safe'],
  ['string', 'frontend_safe'],
])('refuses %s in place of options, wherever options are given', async (kind, options) => {
  const message = `options must be an object with options by name, got ${kind}`;
  const given = options as object;
  expect(() => new EventBridge('s', given)).toThrow(new TypeError(`EventBridge: ${message}`));
  expect(() => new BridgeRegistry(given)).toThrow(new TypeError(`BridgeRegistry: ${message}`));
  const bridge = new EventBridge('s');
  await expect(bridge.openReader(given)).rejects.toThrow(new TypeError(`openReader: ${message}`));
  await expect(bridge.generateSse(given).next()).rejects.toThrow(new TypeError(`generateSse: ${message}`));
  await expect(bridge.close(given)).rejects.toThrow(new TypeError(`close: ${message}`));
});

it('lists the known options when it refuses an unknown one', () => {
  // @ts-expect-error JavaScript callers may pass what TypeScript refuses
  expect(() => new EventBridge('session-1', { audiance: 'internal' })).toThrow(
    /^EventBridge: unknown option 'audiance'\. Known options: audience, maxHistory, .*, privateValues\.$/,
  );
});

describe('the options of a method', () => {
  const bridge = new EventBridge('session-1');

  it.each([
    ['audiance', { audiance: 'frontend_safe' }],
    ['audience', { audience: 'browser' }],
    ['audience', { audience: 1n }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: 0 }],
    ['lastEventId must be a string, got object', { lastEventId: ['a query parameter', 'that came twice'] }],
    ['lastEventId must be a string, got number', { lastEventId: 7 }],
  ])(
    'are refused when a reader is opened, with an error that contains: %s (case %#)',
    async (name, options) => {
      // @ts-expect-error some of these do not compile, which is intended
      await expect(bridge.generateSse(options).next()).rejects.toThrow(name);
      const request = new Request('http://localhost/');
      // @ts-expect-error the same
      await expect(bridge.toResponse(request, options)).rejects.toThrow(name);
      // @ts-expect-error the same
      await expect(bridge.openReader(options)).rejects.toThrow(name);
      expect(bridge.subscriberCount).toBe(0);
    },
  );

  it('that are unknown are refused with the names of the known ones', async () => {
    const options = { heartbeatInterval: 15 };
    const unknown = "unknown option 'heartbeatInterval'. Known options: lastEventId, audience, signal";
    // @ts-expect-error JavaScript callers may pass what TypeScript refuses
    await expect(bridge.openReader(options)).rejects.toThrow(`openReader: ${unknown}.`);
    // @ts-expect-error the same
    await expect(bridge.generateSse(options).next()).rejects.toThrow(
      `generateSse: ${unknown}, heartbeatIntervalMs.`,
    );
    // @ts-expect-error the same
    await expect(bridge.toResponse(new Request('http://localhost/'), options)).rejects.toThrow(
      `toResponse: ${unknown}, heartbeatIntervalMs.`,
    );
  });

  it('are refused by close and waitForSubscriber if unknown', async () => {
    await bridge.emit('custom', {});
    // @ts-expect-error JavaScript callers may pass what TypeScript refuses
    await expect(bridge.close({ keepSesion: true })).rejects.toThrow(
      "close: unknown option 'keepSesion'. Known options: keepSession.",
    );
    // @ts-expect-error the same
    await expect(bridge.waitForSubscriber({ timeoutMs: 0, sgnal: 1 })).rejects.toThrow(
      "waitForSubscriber: unknown option 'sgnal'. Known options: timeoutMs, signal.",
    );
    await bridge.emit('custom', {});
    expect(await bridge.history()).toHaveLength(2);
  });

  it('are refused by waitForSubscriber if no timer supports the timeoutMs', async () => {
    for (const timeoutMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      await expect(bridge.waitForSubscriber({ timeoutMs })).rejects.toThrow(RangeError);
    }
    expect(await bridge.waitForSubscriber({ timeoutMs: 0 })).toBe(false);
  });
});
