/** The test suite that every run store must pass. */
export { runStoreSuite } from './testing/run-store-suite.js';
export type { OpenedStore, RunStoreSubject } from './testing/run-store-subject.js';
