import type { Planner } from '../../src/planning/planner.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { mortalStore } from '../support/mortal-store.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

/** A planner that calls the tool `b` and ends. */
export const script = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);

/** Two replicas on one store and one clock. */
export function replicas(planner: () => Planner = script) {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const first = mortalStore(store, undefined);
  return {
    store,
    clock,
    one: new SessionBench({ planner: planner(), store: first.store, clock, owner: 'one', isMortal: true }),
    two: new SessionBench({ planner: planner(), store, clock, owner: 'two' }),
  };
}
