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
