import type { RunStore } from '@svc/contracts/orchestrator';

/** When a process dies: at its n-th write, before or after it is stored. */
export interface Death {
  readonly atWrite: number;
  readonly moment: 'before' | 'after';
}

/** The store of a process that dies, and the state of that process. */
export interface MortalStore {
  readonly store: RunStore;
  readonly died: Promise<void>;
  readonly end: AbortSignal;
  readonly writes: () => number;
  readonly isDead: () => boolean;
}

const writers = ['createRun', 'claimRun', 'append', 'putDocument', 'increment', 'releaseRun'] as const;

/**
 * Wraps a store for a process that dies at a write: from then on, no call is answered. The wrapped store stays
 * usable.
 */
export function mortalStore(store: RunStore, death: Death | undefined): MortalStore {
  const died = Promise.withResolvers<void>();
  const end = new AbortController();
  let writes = 0;
  let isDead = false;
  const never = new Promise<never>(() => {});
  const die = () => {
    isDead = true;
    end.abort();
    died.resolve();
    return never;
  };
  const write = async (method: (typeof writers)[number], args: unknown[]) => {
    writes += 1;
    const isLast = death?.atWrite === writes;
    if (isLast && death?.moment === 'before') return die();
    const result = await Reflect.apply(store[method], store, args);
    return isLast ? die() : result;
  };
  const mortal = new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name === 'follow') {
        return (sessionId: string, from: { afterSeq: number; signal?: AbortSignal }) =>
          target.follow(sessionId, {
            ...from,
            signal: from.signal ? AbortSignal.any([from.signal, end.signal]) : end.signal,
          });
      }
      return (...args: unknown[]) => {
        if (isDead) return never;
        const method = writers.find((each) => each === name);
        return method ? write(method, args) : Reflect.apply(member, target, args);
      };
    },
  });
  return { store: mortal, died: died.promise, end: end.signal, writes: () => writes, isDead: () => isDead };
}
