import { expect, it } from 'vitest';
import { BridgeRegistry } from '../../src/index.js';
import { uncaughtErrors } from '../uncaught-errors.js';

it('a registry notifies every listener once of each new bridge, and of its own closing', async () => {
  const registry = new BridgeRegistry();
  const heard: [string, string | undefined][] = [];
  registry.getOrCreate('before');
  registry.onBridge((bridge) => void heard.push(['one', bridge?.sessionId]));
  const removeListener = registry.onBridge((bridge) => void heard.push(['other', bridge?.sessionId]));
  expect(registry.getOrCreate('a')).toBe(registry.getOrCreate('a'));
  removeListener();
  registry.getOrCreate('b');
  await registry.close();
  expect(heard).toEqual([
    ['one', 'a'],
    ['other', 'a'],
    ['one', 'b'],
    ['one', undefined],
  ]);
});

it('a listener that throws affects neither the registry nor the other listeners; its errors are uncaught', async () => {
  const uncaught = uncaughtErrors();
  const registry = new BridgeRegistry();
  const error = new Error('of the listener');
  const heard: (string | undefined)[] = [];
  registry.onBridge(() => {
    throw error;
  });
  registry.onBridge((bridge) => void heard.push(bridge?.sessionId));
  const bridge = registry.getOrCreate('a');
  await registry.close();
  expect([bridge.closed, heard]).toEqual([true, ['a', undefined]]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(uncaught).toEqual([error, error]);
});
