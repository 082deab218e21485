import type { JournalEntry, NewRun, RunStore } from '@svc/contracts/orchestrator';
import { onTestFinished } from 'vitest';

/** A store to be tested. */
export interface RunStoreSubject {
  /** Stands in the tests' names. */
  readonly name: string;
  /** A new, empty store. It is closed by the suite. */
  open(): Promise<OpenedStore>;
}

/** A store and what else can be had of it. */
export interface OpenedStore {
  readonly store: RunStore;
  /** Opens the same data again after the store has been closed; for stores that keep it. */
  readonly reopen?: () => Promise<RunStore>;
  /** Opens the same data beside, as another process would; for stores of a cluster. */
  readonly beside?: () => Promise<RunStore>;
}

/** What the cases share. */
export interface Suite {
  readonly name: string;
  readonly open: () => Promise<OpenedStore>;
  readonly newRun: (given?: Partial<NewRun>) => NewRun;
}

/** The time at which the cases' clocks stand. */
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
    newRun: (given) => ({
      sessionId: `sess_${(runs += 1)}`,
      projectId: 'project-1',
      keyId: 'key-1',
      labels: { agent_name: 'billing' },
      request: { messages: [] },
      nowMs: T0,
      owner: 'owner-1',
      leaseMs: 1000,
      ...given,
    }),
  };
}

/** A journal entry of a test. */
export const entry = (data: number | string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  kind: 'event',
  data,
  ...more,
});
