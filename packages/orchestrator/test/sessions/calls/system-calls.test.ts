import { expect, it } from 'vitest';
import type { SystemTool } from '../../../src/system-tools/system-tool.js';
import { SystemToolError } from '../../../src/system-tools/system-tool-error.js';
import { SystemToolbox } from '../../../src/system-tools/system-toolbox.js';
import { reevaluateTool } from '../../../src/system-tools/reevaluate.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: [] } as const;
const usage = { input_tokens: 5, output_tokens: 1 };
const search = (run: SystemTool['run']): SystemTool => ({
  name: 'search',
  description: 'Search',
  parameters,
  run,
});
const found = search(async ({ query }, { onChunk, onUsage }) => {
  onChunk('one ');
  onUsage(usage);
  onChunk('two');
  return { found: query ?? null };
});

const systemEvents = async (bench: SessionBench, id: string) =>
  (await bench.events(id)).filter(({ name }) => name.startsWith('system_tool'));

it('runs a system tool itself and reports its progress', async () => {
  const planner = scriptedPlanner([call(['search', { query: 'tea' }], ['t-b']), finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([found]) });
  const id = await bench.start(request('go', [toolSpec('b')]));
  await bench.post(id, (await bench.call(id, 'b')).id, 1);
  expect(await bench.final(id)).toMatchObject({
    status: 'completed',
    token_usage: { input_tokens: 5, output_tokens: 1 },
  });
  const events = await systemEvents(bench, id);
  const assignment = events[0]?.payload.assignment_id;
  expect(events).toMatchObject([
    {
      name: 'system_tool_start',
      payload: { tool_name: 'search', assignment_id: assignment, params: { query: 'tea' } },
    },
    { name: 'system_tool_chunk', payload: { assignment_id: assignment, text: 'one ', chunk_count: 1 } },
    {
      name: 'system_tool_complete',
      payload: { assignment_id: assignment, result: { found: 'tea' }, elapsed_ms: 0 },
    },
  ]);
  expect(planner.contexts[1]?.steps[0]).toMatchObject({
    calls: [{ outcome: { result: { found: 'tea' } } }, {}],
  });
});

it('sends the text of a system tool in pieces, each with the time since its start', async () => {
  const goOn = Promise.withResolvers<void>();
  const goEnd = Promise.withResolvers<void>();
  const slow = search(async (_args, { onChunk }) => {
    onChunk('one ');
    await goOn.promise;
    onChunk('two ');
    onChunk('three');
    await goEnd.promise;
    return 'done';
  });
  const planner = scriptedPlanner([call(['search', {}]), finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([slow]) });
  const id = await bench.start(request('go'));
  const chunk = async (count: number) =>
    bench.until(id, ({ payload }) => payload['chunk_count'] === count).then(({ payload }) => payload);
  expect(await chunk(1)).toMatchObject({ text: 'one ', elapsed_seconds: 0 });
  goOn.resolve();
  await expect.poll(() => bench.clock.waiting).toBeGreaterThan(0);
  bench.clock.advance(1_500);
  expect(await chunk(2)).toMatchObject({ text: 'two three', elapsed_seconds: 0.25 });
  bench.clock.advance(500);
  goEnd.resolve();
  await bench.final(id);
  expect((await systemEvents(bench, id)).at(-1)).toMatchObject({ payload: { elapsed_ms: 2_000 } });
});

it('says which member or which swarm a system tool works for', async () => {
  const owners = async (swarm_config: object) => {
    const planner = scriptedPlanner([call(['search', {}]), finish('ok')]);
    const bench = new SessionBench({ planner, toolbox: new SystemToolbox([found]) });
    const id = await bench.start(request('go', [], { swarm_config }));
    await bench.final(id);
    const events = await systemEvents(bench, id);
    return events.map(({ name, payload }) => [name, payload.agent_name, payload.swarm_name]);
  };
  expect(await owners({ agent_invocation: true, invoked_agent_name: 'Writer' })).toEqual([
    ['system_tool_start', 'Writer', undefined],
    ['system_tool_chunk', 'Writer', undefined],
    ['system_tool_complete', 'Writer', undefined],
  ]);
  expect(await owners({ swarm_name: 'Desk' })).toEqual([
    ['system_tool_start', undefined, 'Desk'],
    ['system_tool_chunk', undefined, 'Desk'],
    ['system_tool_complete', undefined, 'Desk'],
  ]);
});

it('offers the planner only the system tools that the request allows', async () => {
  const planner = scriptedPlanner(() => [finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([found]) });
  for (const allowed_tools of [undefined, ['search'], []]) {
    await bench.final(await bench.start(request('go', [], { system_tools_config: { allowed_tools } })));
  }
  expect(planner.contexts.map(({ system_tools }) => system_tools.map(({ name }) => name))).toEqual([
    ['search'],
    ['search'],
    [],
  ]);
});

it('reports the failure of a system tool and continues the run', async () => {
  const failing = search(() => Promise.reject(new SystemToolError('No index.', { code: 'SEARCH_FAILED' })));
  const planner = scriptedPlanner([call(['search', {}]), finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([failing]) });
  const id = await bench.start(request('go'));
  expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  expect((await systemEvents(bench, id)).at(-1)).toMatchObject({
    name: 'system_tool_error',
    payload: { error: 'No index.' },
  });
});

it('aborts a running system tool when the run is cancelled, and sends no more of its text', async () => {
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const endless = search(
    (_args, { signal, onChunk }) =>
      new Promise((_resolve, reject) => {
        onChunk('one ');
        onChunk('two');
        begun.resolve();
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(signal.reason);
        });
      }),
  );
  const planner = scriptedPlanner([call(['search', {}])]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([endless]) });
  const id = await bench.start(request('go'));
  await begun.promise;
  await bench.cancel(id);
  expect(await bench.final(id)).toMatchObject({ status: 'cancelled' });
  await aborted.promise;
  await expect.poll(() => bench.clock.waiting).toBe(0);
  expect(bench.errors).toEqual([]);
});

it('runs an interrupted system tool again after a takeover, without a second start event', async () => {
  let runs = 0;
  const begun = Promise.withResolvers<void>();
  const slowOnce = search(() => {
    runs += 1;
    begun.resolve();
    return runs === 1 ? new Promise<never>(() => {}) : Promise.resolve('found');
  });
  const toolbox = new SystemToolbox([slowOnce]);
  const planner = scriptedPlanner([call(['search', {}]), finish('ok')]);
  const first = new SessionBench({ planner, toolbox });
  const id = await first.start(request('go'));
  await begun.promise;
  await first.manager.close();
  const second = new SessionBench({ planner, toolbox, store: first.store, clock: first.clock });
  await second.manager.open();
  expect(await second.final(id)).toMatchObject({ status: 'completed' });
  const events = await systemEvents(second, id);
  expect(events.map(({ name }) => name)).toEqual(['system_tool_start', 'system_tool_complete']);
  expect(runs).toBe(2);
});

it('shows a re-evaluation by the planner as a phase, not as a tool', async () => {
  const planner = scriptedPlanner([call(['reevaluate', {}]), finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: new SystemToolbox([reevaluateTool]) });
  const id = await bench.start(request('go', [toolSpec('a'), toolSpec('b')]));
  expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  expect(await systemEvents(bench, id)).toEqual([]);
  const phase = (await bench.events(id)).find(({ payload }) => payload.phase === 'reevaluate_accrued');
  expect(phase?.payload.reevaluate).toEqual({ source: 'llm', reevaluate_count: 1, collected_count: 0 });
});
