import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../src/planning/plan-step.js';
import { needs, request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const text = { type: 'string' };
const order = (kind: 'await_for' | 'reevaluate', tool: string, rest: object = {}) => ({
  metadata: { execution_controls: { [kind]: [{ tool_id: `t-${tool}`, tool_name: tool, ...rest }] } },
});

/** Runs a request and answers its calls from `results`. Returns the calls in order, their waves and the final. */
async function play(
  script: PlanStep[],
  tools: object[],
  rest: object = {},
  results: Record<string, unknown> = {},
) {
  const planner = scriptedPlanner(script);
  const bench = new SessionBench({ planner });
  const id = await bench.start(request('go', tools, rest));
  const called: string[] = [];
  const waves: string[][] = [];
  for await (const batch of bench.store.follow(id, { afterSeq: 0 })) {
    const wave: [string, string][] = batch.flatMap(({ kind, data }) => {
      const event = Object(data);
      if (kind !== 'event' || event.name !== 'tool_event') return [];
      return [[event.payload.id, event.payload.value.tool_call.tool_name]];
    });
    if (wave.length > 0) waves.push(wave.map(([, name]) => name));
    for (const [callId, name] of wave) {
      called.push(name);
      const result = results[name] ?? `${name} result`;
      if (result instanceof Error) await bench.postError(id, callId, { code: 'E', message: result.message });
      else await bench.post(id, callId, result);
    }
  }
  return { called, waves, final: await bench.final(id), planner, bench, id };
}

const config = (orchestration_config: object) => ({ orchestration_config });
const abc = ['a', 'b', 'c'].map((name) => toolSpec(name));

describe('the orchestration mode', () => {
  it('single_shot_dag plans once and rejects a second round', async () => {
    const { called, final, planner } = await play(
      [call(['t-a'], ['t-b']), call(['t-c']), finish('done')],
      abc,
      config({ mode: 'single_shot_dag' }),
    );
    expect(called).toEqual(['a', 'b']);
    expect(final).toMatchObject({ status: 'completed', response: 'done' });
    expect(planner.contexts[2]?.steps[1]).toMatchObject({ type: 'feedback' });
  });

  it('supervisor_loop plans round after round', async () => {
    const { called } = await play(
      [call(['t-a']), call(['t-a']), call(['t-b']), finish('done')],
      abc,
      config({ mode: 'supervisor_loop' }),
    );
    expect(called).toEqual(['a', 'a', 'b']);
  });

  it('strict_user_dag runs the declared graph and nothing else', async () => {
    const graph = [toolSpec('a'), toolSpec('b', { of: needs('a') }), toolSpec('c')];
    const { called, planner } = await play(
      [call(['t-b'], ['t-c']), call(['t-b']), call(['t-c']), finish('done')],
      graph,
      { ...config({ mode: 'strict_user_dag' }), targeted_tools: ['b'] },
    );
    expect(called).toEqual(['a', 'b']);
    expect(planner.contexts.at(-1)?.steps.filter(({ type }) => type === 'feedback')).toHaveLength(2);
  });

  it('max_cycles allows that many rounds of calls, then only an answer', async () => {
    const { called, final } = await play(
      [call(['t-a']), call(['t-a']), call(['t-a']), finish('enough')],
      abc,
      config({ max_cycles: 2, stop_strategy: 'max_cycles' }),
    );
    expect(called).toEqual(['a', 'a']);
    expect(final).toMatchObject({ response: 'enough', metadata: { cycles: 2 } });
  });
});

describe('a run', () => {
  it('runs an always_execute tool even when the planner forgets it', async () => {
    const { called, final, planner } = await play(
      [{ ...finish('done'), usage: { input_tokens: 7, output_tokens: 3 }, state: 'mine' }, finish('done')],
      [...abc, toolSpec('audit', {}, { always_execute: true })],
    );
    expect(called).toEqual(['audit']);
    // The step that left it out still counts with its tokens, and the planner gets its state back.
    expect(final.token_usage).toMatchObject({ total_tokens: 10 });
    expect(planner.contexts[1]?.steps).toMatchObject([{ type: 'call', state: 'mine' }]);
  });

  it('runs an always_execute tool even if its final tool has answered before', async () => {
    const { called, final } = await play(
      [call(['t-make']), finish('made')],
      [toolSpec('make', {}, { final_tool: true }), toolSpec('audit', {}, { always_execute: true })],
      { force_final_tool: true },
      { make: 'it', audit: 'written' },
    );
    expect(called).toEqual(['make', 'audit']);
    expect(final).toMatchObject({ status: 'completed', response: 'it', result: 'it' });
  });

  it('does not repeat the calls before a boundary endlessly if one of them fails each time', async () => {
    const target = toolSpec('c', { b: needs('b') }, order('reevaluate', 'a'));
    const { called, final } = await play(
      Array.from({ length: 20 }, () => finish('done')),
      [toolSpec('a'), toolSpec('b', { a: needs('a') }), target],
      { targeted_tools: ['c'] },
      { a: new Error('no') },
    );
    expect(called).toEqual(['a', 'a', 'a']);
    expect(final).toMatchObject({ status: 'completed', response: 'done' });
  });

  it('may repeat a failed call that a tool which must run needs, even if it is planned once', async () => {
    const find = call(['t-find', { id: 'x' }]);
    const both = call(['t-find', { id: 'y' }], ['t-audit']);
    const audit = toolSpec('audit', { found: needs('find') }, { always_execute: true });
    const { called, final } = await play(
      [find, finish('done'), both, finish('done')],
      [toolSpec('find', { id: text }), audit],
      config({ mode: 'single_shot_dag' }),
      { find: new Error('no') },
    );
    expect(called).toEqual(['find', 'find']);
    expect(final).toMatchObject({ status: 'completed', response: 'done' });
  });

  it('fails if its order rules never let its final tool run', async () => {
    const target = toolSpec(
      'b',
      { a: needs('a') },
      { ...order('reevaluate', 'a', { timing: 'before' }), final_tool: true },
    );
    const { called, final } = await play(
      Array.from({ length: 20 }, () => finish('done')),
      [toolSpec('a'), target],
      { force_final_tool: true, orchestration_config: { max_cycles: 2 } },
    );
    expect(called).toEqual([]);
    expect(final).toMatchObject({ status: 'failed', error_info: { code: 'REQUIRED_TOOL_FAILED' } });
  });

  it('ends with the result of its final tool, without asking the planner again', async () => {
    const finalTool = toolSpec('report', { title: text }, { final_tool: true });
    const { final, planner } = await play(
      [finish('no'), call(['t-report', { title: 'x' }])],
      [...abc, finalTool],
      { force_final_tool: true },
      { report: { pages: 3 } },
    );
    expect(final).toMatchObject({ status: 'completed', result: { pages: 3 } });
    expect(planner.contexts).toHaveLength(2);
  });

  it('fails with the error of its required final tool', async () => {
    const finalTool = toolSpec('report', {}, { final_tool: true });
    const again = call(['t-report']);
    const { final } = await play(
      [again, again, again],
      [finalTool],
      { force_final_tool: true },
      {
        report: new Error('no paper'),
      },
    );
    expect(final).toMatchObject({
      status: 'failed',
      error_info: { code: 'REQUIRED_TOOL_FAILED', message: expect.stringContaining('no paper') },
    });
  });

  it('calls only the targeted tools and their producers', async () => {
    const tools = [toolSpec('a'), toolSpec('b', { of: needs('a') }), toolSpec('c')];
    const { called } = await play([call(['t-c']), finish('x'), finish('x')], tools, {
      targeted_tools: ['b'],
    });
    expect(called).toEqual(['a', 'b']);
  });

  it('returns a structured result through the model tool that it names', async () => {
    const receipt = toolSpec(
      'Receipt',
      { total: { type: 'number' } },
      { tool_type: 'model', final_tool: true },
    );
    const { final } = await play(
      [call(['t-Receipt', { total: 'much' }]), call(['t-Receipt', { total: 5 }])],
      [receipt],
      { structured_output_config: { enabled: true, model: 'Receipt' }, force_final_tool: true },
      { Receipt: { total: 5 } },
    );
    expect(final).toMatchObject({ status: 'completed', result: { total: 5 } });
  });
});

describe('ordering without data dependencies', () => {
  it('await_for runs one tool after another', async () => {
    const { waves } = await play(
      [call(['t-b'], ['t-a']), finish('done')],
      [toolSpec('a'), toolSpec('b', {}, order('await_for', 'a'))],
    );
    expect(waves).toEqual([['a'], ['b']]);
  });

  it('await_for waits for the n-th call of a tool, or for all its calls', async () => {
    const planner = scriptedPlanner([call(['t-a'], ['t-a'], ['t-each'], ['t-each'], ['t-all'])]);
    const bench = new SessionBench({ planner });
    const each = toolSpec('each', {}, order('await_for', 'a'));
    const all = toolSpec('all', {}, order('await_for', 'a', { instance_control: 'all' }));
    const id = await bench.start(request('go', [toolSpec('a'), each, all]));
    const [first, second] = [await bench.call(id, 'a'), await bench.call(id, 'a', 2)];
    await bench.post(id, first.id, 1);
    await bench.call(id, 'each');
    const calls = (await bench.events(id)).filter(({ name }) => name === 'tool_event');
    expect(calls.map(({ payload }) => payload.value.tool_call.tool_name)).toEqual(['a', 'a', 'each']);
    await bench.post(id, second.id, 2);
    await bench.call(id, 'each', 2);
    await bench.call(id, 'all');
  });

  it.each([
    ['after', [toolSpec('a'), toolSpec('b', {}, order('reevaluate', 'a'))]],
    ['before', [toolSpec('a', {}, order('reevaluate', 'b', { timing: 'before' })), toolSpec('b')]],
  ])(
    'reevaluate %s a tool stops the calls, reports it and plans again with the results',
    async (_, tools) => {
      const { waves, planner, bench, id } = await play(
        [call(['t-a'], ['t-b']), call(['t-b']), finish('done')],
        tools,
      );
      expect(waves).toEqual([['a'], ['b']]);
      expect(planner.contexts[1]?.steps[0]).toMatchObject({
        calls: [{ outcome: { status: 'ok' } }, { outcome: { error: { code: 'REEVALUATE_BOUNDARY' } } }],
      });
      const accrued = (await bench.events(id)).filter(
        ({ payload }) => payload.phase === 'reevaluate_accrued',
      );
      expect(accrued.map(({ payload }) => payload.reevaluate)).toEqual([
        {
          source: 'dependency',
          trigger_tool: 'a',
          target_tool: 'b',
          reevaluate_count: 1,
          collected_count: 1,
        },
      ]);
    },
  );
});

describe('a run that requires its final tool', () => {
  const broken = { make: new Error('no') };
  const forced = { force_final_tool: true };
  const maker = toolSpec('make', {}, { final_tool: true });
  const always = toolSpec('make', {}, { final_tool: true, always_execute: true });
  const tries = [call(['t-make']), call(['t-make']), call(['t-make']), finish('made?')];

  it.each([
    ['single_shot_dag', 'the final tool', maker],
    ['supervisor_loop', 'the final tool', maker],
    ['strict_user_dag', 'the final tool', maker],
    ['hybrid', 'the final tool', maker],
    ['single_shot_dag', 'an always_execute final tool', always],
    ['strict_user_dag', 'an always_execute final tool', always],
  ])(
    'allows further tries in %s after %s failed, and does not complete without it',
    async (mode, _tool, tool) => {
      const { called, final } = await play(tries, [tool], { ...forced, ...config({ mode }) }, broken);
      expect(called).toEqual(['make', 'make', 'make']);
      expect(final).toMatchObject({ status: 'failed', error_info: { code: 'REQUIRED_TOOL_FAILED' } });
    },
  );
});
