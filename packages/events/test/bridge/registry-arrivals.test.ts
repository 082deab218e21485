import { expect, it } from 'vitest';
import { BridgeRegistry } from '../../src/index.js';

it('tells every listener of every bridge that is made, once, and of its own end', async () => {
  const registry = new BridgeRegistry();
  const heard: [string, string | undefined][] = [];
  registry.getOrCreate('before');
  registry.onBridge((bridge) => void heard.push(['one', bridge?.sessionId]));
  const takeOff = registry.onBridge((bridge) => void heard.push(['other', bridge?.sessionId]));
  expect(registry.getOrCreate('a')).toBe(registry.getOrCreate('a'));
  takeOff();
  registry.getOrCreate('b');
  await registry.close();
  expect(heard).toEqual([
    ['one', 'a'],
    ['other', 'a'],
    ['one', 'b'],
    ['one', undefined],
  ]);
});
