import { expect, it } from 'vitest';
import { startAgent } from '../agent-setup.js';

it('a run fails with RUN_TOO_MANY_CALLS at a batch that exceeds the limit, and runs none of its calls', async () => {
  let ran = 0;
  await using setup = await startAgent(async (session) => {
    await session.callTool('count');
    await session.callTools(Array.from({ length: 10_000 }, () => ({ name: 'count' })));
  });
  setup.agent.toolify({ name: 'count', description: 'Counts' }, () => (ran += 1));
  await expect(setup.agent.invoke('go', { timeoutMs: 20_000 })).rejects.toMatchObject({
    code: 'RUN_TOO_MANY_CALLS',
    details: { max_calls: 10_000 },
  });
  expect(ran).toBe(1);
  await setup.agent.close();
  expect(setup.orchestrator.requests.at(-1)).toMatchObject({ method: 'DELETE' });
});
