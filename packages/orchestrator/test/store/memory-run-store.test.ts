import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { runStoreSuite } from '../../src/testing/run-store-suite.js';

runStoreSuite({ name: 'memory', open: async () => ({ store: new MemoryRunStore() }) });
