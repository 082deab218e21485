import { documentCases } from './document-cases.js';
import { followCases } from './follow-cases.js';
import { journalCases } from './journal-cases.js';
import { runCases } from './run-cases.js';
import { suiteOver, type RunStoreSubject } from './run-store-subject.js';

/**
 * Defines the Vitest tests that every `RunStore` must pass. Call it at the top level of a test file.
 * @example runStoreSuite({ name: 'postgres', open: async () => ({ store: postgresRunStore({ url }) }) })
 */
export function runStoreSuite(subject: RunStoreSubject): void {
  const suite = suiteOver(subject);
  runCases(suite);
  journalCases(suite);
  followCases(suite);
  documentCases(suite);
}
