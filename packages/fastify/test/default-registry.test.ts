import { expect, it } from 'vitest';
import { getEventBridge, removeEventBridge } from '../src/index.js';

it('makes a bridge with the options it is given', async () => {
  const bridge = getEventBridge('short', { maxHistory: 1 });
  for (const message of ['one', 'two']) await bridge.emitStatusMessage({ assistantId: 'a', message });
  expect(await bridge.history()).toMatchObject([{ data: { message: 'two' } }]);
  await removeEventBridge('short');
});

it.each([undefined, {}, { audience: undefined }, { audience: null }, null])(
  'makes a bridge for browsers with the options %j',
  async (options) => {
    // @ts-expect-error the types say that what is absent is undefined
    expect(getEventBridge('by-default', options).audience).toBe('frontend_safe');
    await removeEventBridge('by-default');
  },
);
