import { expect, it } from 'vitest';
import { getEventBridge, removeEventBridge } from '../src/index.js';

it('getEventBridge creates a bridge with the given options', async () => {
  const bridge = getEventBridge('short', { maxHistory: 1 });
  for (const message of ['one', 'two']) await bridge.emitStatusMessage({ assistantId: 'a', message });
  expect(await bridge.history()).toMatchObject([{ data: { message: 'two' } }]);
  await removeEventBridge('short');
});

it('getEventBridge reads inherited options, and refuses what has none by name', async () => {
  const given = Object.create({ audience: 'internal', maxHistory: 1 });
  const bridge = getEventBridge('inherited', given);
  expect(bridge.audience).toBe('internal');
  for (const message of ['one', 'two']) await bridge.emitStatusMessage({ assistantId: 'a', message });
  expect(await bridge.history()).toHaveLength(1);
  await removeEventBridge('inherited');
  for (const options of [new Map(), [], () => [], 'internal'])
    expect(() => getEventBridge('refused', options as object)).toThrow(
      /^EventBridge: options must be an object with options by name, got /,
    );
});

it.each([undefined, {}, { audience: undefined }, { audience: null }, null])(
  'getEventBridge creates a frontend_safe bridge with the options %o',
  async (options) => {
    // @ts-expect-error the types say that what is absent is undefined
    expect(getEventBridge('by-default', options).audience).toBe('frontend_safe');
    await removeEventBridge('by-default');
  },
);
