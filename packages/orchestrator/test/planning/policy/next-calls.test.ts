import type { JsonObject } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, PlanTool, RecordedCall } from '../../../src/planning/plan-context.js';
import { nextCalls } from '../../../src/planning/policy/next-calls.js';
import { planWaves } from '../../support/plan-waves.js';
import { resultOf, toolsOf, type ToolSketch } from '../plan-fixtures.js';

const order = (
  kind: 'await_for' | 'reevaluate',
  name: string,
  rest: JsonObject = {},
): ToolSketch['metadata'] => ({
  execution_controls: { [kind]: [{ tool_id: `t-${name}`, tool_name: name, ...rest }] },
});
const needs = (name: string, ...producers: string[]): ToolSketch => ({
  name,
  properties: Object.fromEntries(producers.map((producer) => [producer, resultOf(producer)])),
  required: producers,
});
const calls = (...names: string[]) => names.map((name) => ({ tool_id: `t-${name}`, args: {} }));

describe('planWaves', () => {
  it.each([
    ['independent calls run together', toolsOf({ name: 'a' }, { name: 'b' }), ['a', 'b'], [[0, 1]]],
    [
      'a chain runs one by one, whatever the order of the calls',
      toolsOf({ name: 'a' }, needs('b', 'a'), needs('c', 'b')),
      ['c', 'b', 'a'],
      [[2], [1], [0]],
    ],
    [
      'the two middle calls of a diamond run together',
      toolsOf({ name: 'a' }, needs('b', 'a'), needs('c', 'a'), needs('d', 'b', 'c')),
      ['d', 'c', 'b', 'a'],
      [[3], [1, 2], [0]],
    ],
    [
      'await_for orders calls that pass no data',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('await_for', 'a') }),
      ['b', 'a'],
      [[1], [0]],
    ],
    [
      'await_for with timing before puts the other call later',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('await_for', 'a', { timing: 'before' }) }),
      ['a', 'b'],
      [[1], [0]],
    ],
    [
      'instance_control each pairs the n-th call with the n-th',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('await_for', 'a') }),
      ['a', 'b', 'b'],
      [[0, 2], [1]],
    ],
    [
      'instance_control all waits for every instance',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('await_for', 'a', { instance_control: 'all' }) }),
      ['a', 'a', 'b', 'b'],
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [
      'a call does not wait for a tool that is not called',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('await_for', 'a') }),
      ['b'],
      [[0]],
    ],
    [
      'a boundary leaves the later call to the next round',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('reevaluate', 'a') }),
      ['a', 'b'],
      [[0]],
    ],
    [
      'a boundary with timing before leaves the other call to the next round',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('reevaluate', 'a', { timing: 'before' }) }),
      ['a', 'b'],
      [[1]],
    ],
    [
      'a consumer of a call beyond a boundary is also left to the next round',
      toolsOf({ name: 'a' }, { name: 'b', metadata: order('reevaluate', 'a') }, needs('c', 'b')),
      ['a', 'b', 'c'],
      [[0]],
    ],
  ] satisfies [string, PlanTool[], string[], number[][]][])('%s', (_case, tools, names, waves) => {
    expect(planWaves(calls(...names), tools)).toEqual(waves);
  });
});

describe('nextCalls', () => {
  const record = (outcomes: [string, CallOutcome?][]): RecordedCall[] =>
    outcomes.map(([name, outcome], index) => ({
      call_id: `c${index}`,
      tool_id: `t-${name}`,
      args: {},
      ...(outcome ? { outcome } : {}),
    }));
  const ok: CallOutcome = { status: 'ok', result: 1 };
  const failure: CallOutcome = { status: 'error', error: { code: 'TOOL_FAILED', message: 'boom' } };
  const next = (tools: PlanTool[], recorded: RecordedCall[], inFlight: string[] = [], loop = true) =>
    nextCalls({
      calls: recorded,
      inFlight: new Set(inFlight),
      tools,
      earlier: [],
      constraints: { allow_reevaluate_loop: loop },
    });

  it('starts a consumer as soon as its own producer has finished, not the whole wave', () => {
    const tools = toolsOf({ name: 'fast' }, { name: 'slow' }, needs('uses_fast', 'fast'));
    const step = record([['fast', ok], ['slow'], ['uses_fast']]);
    expect(next(tools, step, ['c1']).start).toEqual(['c2']);
  });

  it.each([
    ['each', ['c2']],
    ['all', []],
  ])('with instance_control %s starts %j while a second call of the awaited tool runs', (control, start) => {
    const tools = toolsOf(
      { name: 'a' },
      { name: 'b', metadata: order('await_for', 'a', { instance_control: control }) },
    );
    expect(next(tools, record([['a', ok], ['a'], ['b']]), ['c1']).start).toEqual(start);
  });

  it('skips only the consumers of a failed producer', () => {
    const tools = toolsOf({ name: 'a' }, needs('c', 'a'), { name: 'x' });
    const result = next(tools, record([['a', failure], ['c'], ['x']]));
    expect(result.start).toEqual(['c2']);
    expect(result.skip).toMatchObject([{ call_id: 'c1', failure: { code: 'TOOL_SKIPPED' } }]);
    expect(result.skip[0]?.failure.message).toContain('a failed');
  });

  it('starts a consumer if one call of its producer failed and a later one succeeded', () => {
    const tools = toolsOf({ name: 'a' }, needs('c', 'a'));
    expect(next(tools, record([['a', failure], ['a', ok], ['c']])).start).toEqual(['c2']);
  });

  it('starts a consumer of an optional producer that failed', () => {
    const tools = toolsOf({ name: 'a' }, { ...needs('c', 'a'), required: [] });
    expect(next(tools, record([['a', failure], ['c']])).start).toEqual(['c1']);
  });

  it('is done when every call has an outcome, and not while one is in flight', () => {
    const tools = toolsOf({ name: 'a' });
    expect(next(tools, record([['a', ok]])).done).toBe(true);
    expect(next(tools, record([['a']]), ['c0'])).toEqual({ start: [], skip: [], done: false });
  });

  it('skips calls whose order rules wait for each other', () => {
    const tools = toolsOf(
      { name: 'a', metadata: order('await_for', 'b') },
      { name: 'b', metadata: order('await_for', 'a') },
    );
    const result = next(tools, record([['a'], ['b']]));
    expect(result.skip.map((each) => each.call_id)).toEqual(['c0', 'c1']);
  });

  it('stops at each boundary only once if re-evaluation loops are not allowed', () => {
    const tools = toolsOf({ name: 'a' }, { name: 'b', metadata: order('reevaluate', 'a') });
    const boundary: CallOutcome = { status: 'error', error: { code: 'REEVALUATE_BOUNDARY', message: '' } };
    const again = (loop: boolean) =>
      nextCalls({
        calls: record([['a', ok], ['b']]),
        inFlight: new Set(),
        tools,
        earlier: record([
          ['a', ok],
          ['b', boundary],
        ]),
        constraints: { allow_reevaluate_loop: loop },
      });
    expect(again(false).start).toEqual(['c1']);
    expect(again(true).skip).toMatchObject([{ failure: { code: 'REEVALUATE_BOUNDARY' } }]);
  });

  it('starts a call whose order rule names its own tool', () => {
    const tools = toolsOf({ name: 'a', metadata: order('await_for', 'a', { instance_control: 'all' }) });
    expect(next(tools, record([['a'], ['a']])).start).toEqual(['c0', 'c1']);
  });

  it('stops at a boundary that only another tool has reached before', () => {
    const tools = toolsOf(
      { name: 'a' },
      { name: 'b', metadata: order('reevaluate', 'a') },
      { name: 'c', metadata: order('reevaluate', 'a') },
    );
    const boundary: CallOutcome = { status: 'error', error: { code: 'REEVALUATE_BOUNDARY', message: '' } };
    const { start, skip } = nextCalls({
      calls: record([['a', ok], ['b'], ['c']]),
      inFlight: new Set(),
      tools,
      earlier: record([
        ['a', ok],
        ['c', boundary],
      ]),
      constraints: { allow_reevaluate_loop: false },
    });
    expect([start, skip.map(({ call_id }) => call_id)]).toEqual([['c2'], ['c1']]);
  });
});
