import type { JournalEntry, NewRun, RunStore } from '@svc/contracts/orchestrator';
import { onTestFinished } from 'vitest';

/** A store to test. */
export interface RunStoreSubject {
  /** Used in the names of the tests. */
  readonly name: string;
  /** Opens a new, empty store. The suite closes it. */
  open(): Promise<OpenedStore>;
}

/** A store, and how to open its data again. */
export interface OpenedStore {
  readonly store: RunStore;
  /** Opens the same data again after the store was closed; for persistent stores. */
  readonly reopen?: () => Promise<RunStore>;
  /** Opens the same data concurrently, as another process would; for stores that replicas share. */
  readonly beside?: () => Promise<RunStore>;
}

/** What the cases share. */
export interface Suite {
  readonly name: string;
  readonly open: () => Promise<OpenedStore>;
  readonly newRun: (fields?: Partial<NewRun>) => NewRun;
}

/** The time that the cases use as now. */
export const T0 = 1_700_000_000_000;

let runs = 0;

export function suiteOver(subject: RunStoreSubject): Suite {
  return {
    name: subject.name,
    async open() {
      const opened = await subject.open();
      const close = (store: RunStore) => onTestFinished(() => store.close());
      close(opened.store);
      const watched = (again: (() => Promise<RunStore>) | undefined) =>
        again &&
        (async () => {
          const store = await again();
          close(store);
          return store;
        });
      const [reopen, beside] = [watched(opened.reopen), watched(opened.beside)];
      return { store: opened.store, ...(reopen ? { reopen } : {}), ...(beside ? { beside } : {}) };
    },
    newRun: (fields) => ({
      sessionId: `sess_${(runs += 1)}`,
      projectId: 'project-1',
      keyId: 'key-1',
      labels: { agent_name: 'billing' },
      request: { messages: [] },
      nowMs: T0,
      owner: 'owner-1',
      leaseMs: 1000,
      ...fields,
    }),
  };
}

/** A journal entry of a test. */
export const entry = (data: number | string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  kind: 'event',
  data,
  ...more,
});
