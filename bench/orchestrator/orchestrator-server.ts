import { createOrchestrator, type Planner } from '@svc/orchestrator';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { reportOnSignal } from './report-usage.ts';

const planner: Planner = {
  name: 'five',
  next: async ({ steps }) => {
    const number = steps.length + 1;
    if (number > 5) return { type: 'finish', text: 'done' };
    return { type: 'call', calls: [{ tool_id: 't-work', args: { number } }] };
  },
};
const [path = ''] = process.argv.slice(2);
const limits = { startsPerMinute: 1_000_000, openSessionsPerProject: 100_000 };
const orchestrator = createOrchestrator({
  planner,
  limits,
  ...(path ? { store: sqliteRunStore({ path }) } : {}),
});
await orchestrator.listen({ port: 0 });
reportOnSignal(`${orchestrator.url} ${orchestrator.apiKey}`);
