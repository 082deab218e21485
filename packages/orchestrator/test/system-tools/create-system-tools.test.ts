import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { createSystemTools, type SystemToolsOptions } from '../../src/system-tools/create-system-tools.js';
import { planContext, toolSpec } from '../planning/plan-fixtures.js';
import { planTools } from '../../src/planning/policy/plan-tools.js';
import { request, toolSpec as spec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const writes = toolSpec({
  name: 'send',
  properties: { body: { type: 'string' } },
  metadata: { arg_policies: { body: { compose_artifact: { mode: 'allow', approval: 'none' } } } },
});

describe('createSystemTools', () => {
  const offered = (options?: SystemToolsOptions) => {
    const context = planContext({ tools: planTools([toolSpec({ name: 'a' }), writes]) });
    return createSystemTools(offlinePlanner(), options)
      .offer(undefined, context)
      .map((tool) => tool.name);
  };

  it('offers the tools that need no configuration, and the others only when configured', () => {
    expect(offered()).toEqual(['think', 'reevaluate', 'compose']);
    expect(offered({ repl: false })).not.toContain('repl');
    expect(offered({ repl: true, webSearch: { endpoint: 'https://search.example/?q={query}' } })).toEqual([
      'think',
      'reevaluate',
      'compose',
      'web_search',
      'repl',
    ]);
  });

  it('applies the configured limits of repl in a run', async () => {
    const planner = scriptedPlanner([
      call(['repl', { code: '6 * 7' }]),
      call(['repl', { code: 'for (;;) {}' }]),
      finish('ok'),
    ]);
    const toolbox = createSystemTools(planner, { repl: { timeMs: 200 } });
    const bench = new SessionBench({ planner, toolbox });
    const id = await bench.start(request('go', [spec('b')]));
    await expect(bench.final(id)).resolves.toMatchObject({ status: 'completed' });
    expect(planner.contexts[2]?.steps).toMatchObject([
      { calls: [{ outcome: { result: { value: 42 } } }] },
      { calls: [{ outcome: { error: { code: 'REPL_TIMEOUT' } } }] },
    ]);
  });
});

it('a declared tool with the name and the id of a system tool runs in its place', async () => {
  const planner = scriptedPlanner([call(['think', { note: 'a' }]), finish('ok')]);
  const bench = new SessionBench({ planner, toolbox: createSystemTools(planner) });
  const declared = { ...spec('think', { note: { type: 'string' } }), tool_id: 'think' };
  const id = await bench.start(request('go', [declared]));
  expect(await bench.call(id, 'think')).toMatchObject({ args: { note: 'a' } });
});
