import { expect, it } from 'vitest';
import { getEventBridge, removeEventBridge } from '../src/index.js';

it.each([undefined, {}, { audience: undefined }, { audience: null }, null])(
  'makes a bridge for browsers with the options %j',
  async (options) => {
    // @ts-expect-error the types say that what is absent is undefined
    expect(getEventBridge('by-default', options).audience).toBe('frontend_safe');
    await removeEventBridge('by-default');
  },
);
