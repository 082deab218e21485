import { expect, it } from 'vitest';
import * as root from '../../src/index.js';
import * as sqlite from '../../src/sqlite.js';
import * as testing from '../../src/testing.js';

it.each([
  [
    '@svc/orchestrator',
    root,
    ['KEY_OPERATIONS', 'createOrchestrator', 'modelFromEnvironment', 'modelPlanner', 'offlinePlanner'],
  ],
  ['@svc/orchestrator/sqlite', sqlite, ['sqliteRunStore']],
  ['@svc/orchestrator/testing', testing, ['runStoreSuite']],
])('%s exports the public names and nothing else', (_, entry, names) => {
  expect(Object.keys(entry).toSorted()).toEqual(names);
});
