import { createOrchestrator } from '../../../src/create-orchestrator.js';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { call, finish, scriptedPlanner } from '../scripted-planner.js';

/** An orchestrator in a process of its own that kills itself after its n-th journal write (0: never). */
const [path = '', port = '0', killAfter = '0'] = process.argv.slice(2);
const store = sqliteRunStore({ path, synchronous: 'normal' });
let writes = 0;
const append = store.append.bind(store);
store.append = async (...args) => {
  const outcome = await append(...args);
  writes += 1;
  if (writes === Number(killAfter)) process.kill(process.pid, 'SIGKILL');
  return outcome;
};
const planner = scriptedPlanner([
  call(['t-charge', { note: 'n' }], ['t-fetch', { id: '7' }]),
  { type: 'ask', questions: [{ question_id: 'sure', prompt: 'Sure?', input_type: 'boolean' }] },
  finish('Charged.'),
]);
const orchestrator = createOrchestrator({ planner, store, keys: [{ key: 'crash-key', project: 'p' }] });
await orchestrator.listen({ port: Number(port) });
process.stdout.write(`${orchestrator.url}\n`);
