import type { RunStore } from '@svc/contracts/orchestrator';

/** When a process dies: once so many new runs of these projects stand at their n-th write or have ended. */
export interface LockstepDeath {
  readonly projects: readonly string[];
  readonly runs: number;
  /** Counted for each run by itself, from 1. */
  readonly atWrite: number;
  /** Whether that write is in the store when the process dies. It is answered in no case. */
  readonly moment: 'before' | 'after';
}

const writers = ['createRun', 'append', 'putDocument'] as const;

/**
 * The store as runs see it that go on side by side until they stand where they are to die; then `die` is called. Runs
 * that were taken over, or are of other projects, go on as they please.
 */
export function lockstepStore(store: RunStore, death: LockstepDeath, die: () => void): RunStore {
  const writes = new Map<string, number>();
  const settled = new Set<string>();
  let isTime = false;
  const never = new Promise<never>(() => {});
  const settle = (run: string) => {
    settled.add(run);
    if (isTime && settled.size === death.runs) die();
  };
  const stand = (run: string) => {
    isTime = true;
    settle(run);
    return never;
  };
  const write = async (method: (typeof writers)[number], args: unknown[]) => {
    const run = runOf(args);
    if (method === 'createRun' && death.projects.includes(Object(args[0]).projectId)) writes.set(run, 0);
    const nth = (writes.get(run) ?? -Infinity) + 1;
    writes.set(run, nth);
    // What goes beside the last write is never written.
    if (nth > death.atWrite) return never;
    if (nth === death.atWrite && death.moment === 'before') return stand(run);
    const result = await Reflect.apply(store[method], store, args);
    if (nth === death.atWrite) return stand(run);
    if (nth > 0 && Object(args[1]).ends) settle(run);
    return result;
  };
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const method = writers.find((each) => each === name);
      return (...args: unknown[]) => (method ? write(method, args) : Reflect.apply(member, target, args));
    },
  });
}

/** What a run adds to its thread has the run's id. */
function runOf([first]: unknown[]): string {
  if (typeof first === 'string') return first;
  const { sessionId, id } = Object(first);
  return String(sessionId ?? id);
}
