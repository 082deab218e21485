import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { BridgeRegistry } from '../../src/bridge/registry.js';
import { forwardNormalizedEvent } from '../../src/forward/forward.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';

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
