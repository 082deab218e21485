import type { RunStore } from '@svc/contracts/orchestrator';

/** When a process dies: once `runs` new runs of these projects have reached their n-th write or ended. */
export interface LockstepDeath {
  readonly projects: readonly string[];
  readonly runs: number;
  /** Counted for each run separately, from 1. */
  readonly atWrite: number;
  /** Whether that write is stored before the process dies. It is never acknowledged. */
  readonly moment: 'before' | 'after';
}

const writers = ['createRun', 'append', 'putDocument'] as const;

/**
 * Wraps a store so that each new run stops at its n-th write. Once all of them have stopped or ended, `die` is called.
 * Runs that were taken over, or belong to other projects, are not stopped.
 */
export function lockstepStore(store: RunStore, death: LockstepDeath, die: () => void): RunStore {
  const writes = new Map<string, number>();
  const settled = new Set<string>();
  let hasStopped = false;
  const never = new Promise<never>(() => {});
  const settle = (run: string) => {
    settled.add(run);
    if (hasStopped && settled.size === death.runs) die();
  };
  const stop = (run: string) => {
    hasStopped = true;
    settle(run);
    return never;
  };
  const write = async (method: (typeof writers)[number], args: unknown[]) => {
    const run = runOf(args);
    if (method === 'createRun' && death.projects.includes(Object(args[0]).projectId)) writes.set(run, 0);
    const nth = (writes.get(run) ?? -Infinity) + 1;
    writes.set(run, nth);
    // A stopped run writes nothing more.
    if (nth > death.atWrite) return never;
    if (nth === death.atWrite && death.moment === 'before') return stop(run);
    const result = await Reflect.apply(store[method], store, args);
    if (nth === death.atWrite) return stop(run);
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

/** A turn in a thread has the id of its run. */
function runOf([first]: unknown[]): string {
  if (typeof first === 'string') return first;
  const { sessionId, id } = Object(first);
  return String(sessionId ?? id);
}
