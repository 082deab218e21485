import { expect, it } from 'vitest';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { runStoreSuite } from '../../src/testing/run-store-suite.js';

runStoreSuite({ name: 'memory', open: async () => ({ store: new MemoryRunStore() }) });

it('is closed at the end of a block with `await using`', async () => {
  const store = new MemoryRunStore();
  {
    await using used = store;
    await used.readRun('s');
  }
  await expect(store.readRun('s')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});
