import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';

/** Works on the runs of the file that is its argument, and prints `done`. */
const store = sqliteRunStore({ path: process.argv[2] ?? '' });
await store.renewLeases({ owner: 'local', nowMs: 0, leaseMs: 1 });
await store.close();
console.log('done');
