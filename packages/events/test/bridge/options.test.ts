import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';

describe('the options of a bridge', () => {
  it.each([
    ['audiance', { audiance: 'frontend_safe' }],
    ['audience', { audience: 'everybody' }],
    ['maxHistory', { maxHistory: 0 }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: 2 ** 31 }],
    ['queueMaxsize', { queueMaxsize: -1 }],
    ['backpressure', { backpressure: 'drop' }],
    ['schemaValidation', { schemaValidation: 'loose' }],
    ['dedupeInterrupts', { dedupeInterrupts: 'yes' }],
    ['log', { log: { append: () => {} } }],
    ['log', { log: null }],
    ['logger', { logger: { warn: () => {} } }],
    ['privateValues', { privateValues: [{ name: 'token', value: 'tok_9f31' }] }],
  ])('name %s in what is thrown for %j', (name, options) => {
    // @ts-expect-error some of these do not compile, as they should not
    expect(() => new EventBridge('session-1', options)).toThrow(name);
  });
});

describe('what is asked of a bridge', () => {
  const bridge = new EventBridge('session-1');

  it.each([
    ['audiance', { audiance: 'frontend_safe' }],
    ['audience', { audience: 'browser' }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: 0 }],
  ])('is refused where it makes no reader, by %s', async (name, options) => {
    // @ts-expect-error some of these do not compile, as they should not
    await expect(bridge.generateSse(options).next()).rejects.toThrow(name);
    const request = new Request('http://localhost/');
    // @ts-expect-error the same
    await expect(bridge.toResponse(request, options)).rejects.toThrow(name);
    // @ts-expect-error the same
    await expect(bridge.openReader(options)).rejects.toThrow(name);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('is refused where no timer can wait so long', async () => {
    for (const timeoutMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      await expect(bridge.waitForSubscriber({ timeoutMs })).rejects.toThrow(RangeError);
    }
    expect(await bridge.waitForSubscriber({ timeoutMs: 0 })).toBe(false);
  });
});
