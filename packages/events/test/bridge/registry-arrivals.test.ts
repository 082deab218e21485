import { expect, it } from 'vitest';
import { BridgeRegistry } from '../../src/index.js';

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
