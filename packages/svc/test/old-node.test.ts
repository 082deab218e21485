import { expect, it } from 'vitest';
import { explainOldNode } from '../src/old-node.js';

it.each(['22.19.0', '22.20.1', '24.0.0', '100.1.0'])('accepts Node %s', (version) => {
  expect(explainOldNode(version, '>=22.19')).toBeUndefined();
});

it.each(['20.20.2', '22.18.9', '9.30.0'])('refuses Node %s and names the required version', (version) => {
  expect(explainOldNode(version, '>=22.19')).toContain(`Node 22.19 or newer is required, got ${version}`);
});
