import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryRunStore } from '../src/store/memory-run-store.js';
import { sqliteRunStore } from '../src/store/sqlite/sqlite-run-store.js';
import { openOrchestrator } from './support/open-orchestrator.js';
import { request, toolSpec } from './support/requests.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';

async function sqliteStore() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-many-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return sqliteRunStore({ path: join(folder, 'runs.db') });
}

const count = { type: 'number' };
const planner = () =>
  scriptedPlanner((context) => [
    ...[1, 2, 3, 4, 5].map((number) => call(['t-work', { number }])),
    finish(`done: ${context.messages[0]?.content}`),
  ]);

describe.each([
  ['in memory', async () => new MemoryRunStore()],
  ['in a file', sqliteStore],
])('500 concurrent sessions, stored %s', (_, open) => {
  it('each make their five calls in order and end with their own answer', async () => {
    const { client } = await openOrchestrator({ planner: planner(), store: await open() });
    const run = async (name: string) => {
      const calls: number[] = [];
      const work = ({ number }: { number: number }) => calls.push(number);
      const { final, events } = await client.run(request(name, [toolSpec('work', { number: count })]), {
        work,
      });
      return {
        calls,
        response: final['response'],
        finals: events.filter(({ name: event }) => event === 'final').length,
      };
    };
    const names = Array.from({ length: 500 }, (_each, index) => `session ${index}`);
    const runs = await Promise.all(names.map(run));
    expect(runs).toEqual(
      names.map((name) => ({ calls: [1, 2, 3, 4, 5], response: `done: ${name}`, finals: 1 })),
    );
  }, 120_000);
});
