import { expect, it } from 'vitest';
import { RunRegistry } from '../../src/session/run-registry.js';

it('finds a run from its creation to its end', () => {
  const registry = new RunRegistry();
  const run = { id: 'run-1', cancel: async () => {} };
  registry.expect(run);
  expect(registry.get('run-1')).toBe(run);
  registry.add(run);
  expect(registry.get('run-1')).toBe(run);
  registry.remove(run);
  expect(registry.get('run-1')).toBeUndefined();
});
