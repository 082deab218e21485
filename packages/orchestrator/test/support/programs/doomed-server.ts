import { createOrchestrator } from '../../../src/create-orchestrator.js';
import type { Planner } from '../../../src/planning/planner.js';
import { offlinePlanner } from '../../../src/planning/offline/offline-planner.js';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { lockstepStore } from '../lockstep-store.js';
import { call, finish, scriptedPlanner } from '../scripted-planner.js';

/** An orchestrator that kills its own process as its argument, a JSON object, says. */
const { path, keys, death } = JSON.parse(process.argv[2] ?? '{}');
const script = scriptedPlanner([
  call(['t-charge', { note: 'n' }], ['t-fetch', { id: '7' }]),
  { type: 'ask', questions: [{ question_id: 'sure', prompt: 'Sure?', input_type: 'boolean' }] },
  finish('Charged.'),
]);
const offline = offlinePlanner();
const planner: Planner = {
  name: 'either',
  next: (context, io) =>
    (context.tools.some((tool) => tool.tool_id === 't-charge') ? script : offline).next(context, io),
};
const store = sqliteRunStore({ path, synchronous: 'normal' });
const orchestrator = createOrchestrator({
  planner,
  store: death ? lockstepStore(store, death, () => process.kill(process.pid, 'SIGKILL')) : store,
  keys,
  logger: { info() {}, warn() {}, error: (...a: unknown[]) => console.error(...a) },
  // A lost result fails its call instead of hanging the test.
  toolTimeoutMs: 120_000,
  // Streamed text would add more writes on a slow machine than on a fast one.
  textIntervalMs: 3_600_000,
});
await orchestrator.listen({ port: 0 });
process.stdout.write(orchestrator.url);
