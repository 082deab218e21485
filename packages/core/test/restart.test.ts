import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrchestrator } from '@svc/orchestrator';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { expect, it } from 'vitest';
import { Agent, Client } from '../src/index.js';

it('a run survives an orchestrator restart during a tool call, and runs the tool once', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-restart-')), 'runs.db');
  const keys = [{ key: 'restart-key', project: 'p' }];
  const start = async (port: number) => {
    const orchestrator = createOrchestrator({ store: sqliteRunStore({ path }), keys, leaseMs: 500 });
    await orchestrator.listen({ port });
    return orchestrator;
  };
  let orchestrator = await start(0);
  const { port } = new URL(orchestrator.url);
  await using client = new Client({ apiKey: 'restart-key', baseUrl: orchestrator.url });
  await using agent = new Agent({ name: 'billing', client });
  let runs = 0;
  agent.toolify({ name: 'fetch_rate', description: 'Fetch the exchange rate' }, async () => {
    runs += 1;
    await orchestrator.close();
    orchestrator = await start(Number(port));
    return { rate: 1.1 };
  });
  const run = agent.stream('Fetch the exchange rate');
  const states: unknown[] = [];
  for await (const { name, payload } of run) if (name === 'tool_event') states.push(payload['status']);
  expect(await run.response).toMatchObject({ status: 'completed' });
  expect([runs, states]).toEqual([1, ['executing', 'completed']]);
  await orchestrator.close();
});
