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

it('finds no run that had not started when it was closed', async () => {
  const registry = new RunRegistry();
  registry.expect({ id: 'run-1', cancel: async () => {} });
  await registry.close();
  expect(registry.get('run-1')).toBeUndefined();
});
