import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@svc/contracts';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import type { PlanStep } from '../../../src/planning/plan-step.js';
import { settleStep } from '../../../src/planning/policy/settle-step.js';
import {
  callStep,
  constraints,
  failedCall,
  okCall,
  planContext,
  resultOf,
  toolsOf,
  type ToolSketch,
} from '../plan-fixtures.js';

const call = (name: string, args: JsonObject = {}): PlanStep => ({
  type: 'call',
  calls: [{ tool_id: name, args }],
});
const finish: PlanStep = { type: 'finish', text: 'Done.' };

const tools = toolsOf(
  { name: 'load' },
  {
    name: 'find',
    properties: { query: { type: 'string', minLength: 1 }, limit: { type: 'integer', maximum: 5 } },
    required: ['query'],
  },
  { name: 'sum', properties: { x: resultOf('load') }, required: ['x'] },
  { name: 'rank', properties: { x: resultOf('find') }, required: ['x'] },
);
const context = planContext({ tools });
const problems = (step: PlanStep, where: PlanContext = context) => {
  const settled = settleStep(step, where);
  return settled.ok ? [] : settled.problems;
};
const settledCalls = (step: PlanStep, where: PlanContext = context) => {
  const settled = settleStep(step, where);
  if (!settled.ok || settled.step.type !== 'call') throw new Error(`refused: ${JSON.stringify(settled)}`);
  return settled.step.calls;
};

describe('calls', () => {
  it('find tools by id and by name', () => {
    expect(settledCalls(call('t-load'))).toEqual([{ tool_id: 't-load', args: {} }]);
    expect(settledCalls(call('load'))).toEqual([{ tool_id: 't-load', args: {} }]);
  });

  it('to unknown tools are refused, and the available tools are listed once', () => {
    const calls = ['delete_all', `drop_${'all_'.repeat(1000)}`].map((tool_id) => ({ tool_id, args: {} }));
    const told = problems({ type: 'call', calls });
    expect(told).toEqual([
      'There is no tool "delete_all".',
      'Call one of: "load", "find", "sum", "rank".',
      expect.stringMatching(/^There is no tool "drop_(all_)+[^"]{0,3}"\.$/),
    ]);
    expect(told.join('').length).toBeLessThan(300);
  });

  it.each([
    ['a missing argument', {}, 'does not have required property "query"'],
    ['a wrong type', { query: 1 }, 'query: Instance type "number" is invalid'],
    ['a value over its maximum', { query: 'x', limit: 9 }, 'limit: 9 is greater than 5'],
  ])('with %s are refused', (_case, args, text) => {
    expect(problems(call('find', args))).toEqual([expect.stringContaining(text)]);
  });

  it('get a producer added if it needs no arguments', () => {
    expect(settledCalls(call('sum')).map((each) => each.tool_id)).toEqual(['t-load', 't-sum']);
    const later = planContext({ tools, steps: [callStep(okCall('load'))] });
    expect(settledCalls(call('sum'), later).map((each) => each.tool_id)).toEqual(['t-sum']);
  });

  it('get the producers of a producer added, each before its consumer', () => {
    const chain = toolsOf(
      { name: 'load' },
      { name: 'clean', properties: { x: resultOf('load') }, required: ['x'] },
      { name: 'sum', properties: { x: resultOf('clean') }, required: ['x'] },
    );
    const added = settledCalls(call('sum'), planContext({ tools: chain })).map(({ tool_id }) => tool_id);
    expect(added.toSorted()).toEqual(['t-clean', 't-load', 't-sum']);
    expect(added.at(-1)).toBe('t-sum');
  });

  it('with the same problem report it once', () => {
    const calls = [
      { tool_id: 'gone', args: {} },
      { tool_id: 'gone', args: {} },
    ];
    expect(problems({ type: 'call', calls })).toHaveLength(2);
  });

  it('are refused without a producer that needs arguments', () => {
    expect(problems(call('rank'))).toEqual([expect.stringContaining('"rank" takes the result of "find"')]);
  });

  describe('of a tool that takes the answer of an agent', () => {
    const answerOf = { ...resultOf('helper'), tool_type: 'agent' };
    const prompt = { prompt: { type: 'string' } };
    const helper: ToolSketch = { name: 'helper', type: 'agent', properties: prompt, required: ['prompt'] };
    const use: ToolSketch = { name: 'use', properties: { x: answerOf }, required: ['x'] };
    const ids = (where: PlanContext) => settledCalls(call('use'), where).map((each) => each.tool_id);

    it('run without a call of the agent: the client calls it', () => {
      expect(ids(planContext({ tools: toolsOf(helper, use) }))).toEqual(['t-use']);
      const failed = planContext({ tools: toolsOf(helper, use), steps: [callStep(failedCall('helper'))] });
      expect(ids(failed)).toEqual(['t-use']);
    });

    it('are refused if the tool is an agent itself, whose prompt the planner writes', () => {
      const member = { ...use, type: 'agent', properties: { ...prompt, x: answerOf } } as const;
      const where = planContext({ tools: toolsOf(helper, member) });
      expect(problems(call('use'), where)).toEqual([expect.stringContaining('takes the result of "helper"')]);
    });
  });

  it('get default arguments, which given ones override', () => {
    const [tool] = toolsOf({
      name: 'm',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
      metadata: { default_args: { a: 'default', b: 'default' } },
    });
    const where = planContext({ tools: tool ? [tool] : [] });
    expect(settledCalls(call('m', { b: 'mine' }), where)[0]?.args).toEqual({ a: 'default', b: 'mine' });
  });

  it('to system tools are checked against their own schema', () => {
    const think = {
      name: 'think',
      description: '',
      parameters: {
        type: 'object',
        properties: { thought: { type: 'string' } },
        required: ['thought'],
      } as const,
    };
    const where = planContext({ system_tools: [think] });
    expect(problems(call('think', { thought: 'hm' }), where)).toEqual([]);
    expect(problems(call('think'), where)).toEqual([expect.stringContaining('"think"')]);
  });

  describe('with a placeholder', () => {
    const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
    const pay = toolsOf({
      name: 'pay',
      properties: {
        account: { type: 'integer', minimum: 1000 },
        code: { type: 'string', maxLength: 4 },
        shares: { type: 'object', additionalProperties: { type: 'number' } },
        to: { anyOf: [amount, { type: 'object', properties: { all: { const: true } }, required: ['all'] }] },
        list: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
        strict: { type: 'object', additionalProperties: false },
        either: { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 4 }] },
      },
      required: ['account'],
    });
    const where = planContext({ tools: pay });

    it.each<[string, JsonObject]>([
      ['a number', { account: '{_{account}_}' }],
      ['a short string', { account: 1000, code: '{_{code}_}' }],
      ['a value of a map', { account: 1000, shares: { 'a/b': '{_{share}_}' } }],
      ['an item of a list', { account: 1000, list: ['{_share_}', null] }],
      ['a field that selects an alternative', { account: 1000, to: { amount: '{_{sum}_}' } }],
      ['a part of a string', { account: 1000, code: 'To {_{code}_}' }],
      ['a part of a string among alternatives', { account: 1000, either: 'To {_{code}_}' }],
    ])('for %s are left to the client, which knows the value', (_case, args) => {
      expect(problems(call('pay', args), where)).toEqual([]);
    });

    it.each<[string, JsonObject, string]>([
      [
        'another invalid argument',
        { account: '{_{account}_}', code: 'too long' },
        'code: String is too long',
      ],
      ['a missing argument', { code: '{_{code}_}' }, 'required property "account"'],
      ['an invalid item next to it', { account: 1000, list: ['{_{share}_}', 'x'] }, 'list.1: Instance'],
      [
        'a string with more words in place of a number',
        { account: 'No. {_{account}_}' },
        'account: Instance type "string"',
      ],
      ['an unknown property', { account: 1000, strict: { x: '{_{x}_}' } }, 'Property "x" does not match'],
    ])('are still refused for %s', (_case, args, text) => {
      expect(problems(call('pay', args), where)).toContainEqual(expect.stringContaining(text));
    });
  });

  it('are refused when only an answer is left', () => {
    const where = planContext({
      tools,
      constraints: constraints({ max_cycles: 1 }),
      steps: [callStep(okCall('load'))],
    });
    expect(problems(call('load'), where)).toEqual([expect.stringContaining('Answer with what is known')]);
  });

  it('are limited to 64 per step', () => {
    const many = (length: number): PlanStep => ({
      type: 'call',
      calls: Array.from({ length }, () => ({ tool_id: 'load', args: {} })),
    });
    expect(problems(many(64))).toEqual([]);
    expect(problems(many(65))).toEqual([expect.stringContaining('65 calls are too many')]);
    expect(problems({ type: 'call', calls: [] })).not.toEqual([]);
  });
});

describe('answers', () => {
  it('become the calls that must still run if those need no arguments', () => {
    const where = planContext({ tools: toolsOf({ name: 'audit', always_execute: true }) });
    expect(settledCalls(finish, where)).toEqual([{ tool_id: 't-audit', args: {} }]);
  });

  it('are refused while a tool that must run needs arguments', () => {
    const [load, find] = tools;
    if (!load || !find) throw new Error('no tools');
    const where = planContext({
      tools: [load, { ...find, final_tool: true }],
      constraints: constraints({ force_final_tool: true }),
    });
    expect(problems(finish, where)).toEqual([
      '"find" makes the result and has not run: call it before you answer.',
    ]);
  });

  it('may come early if the planner is blocked', () => {
    const where = planContext({ tools: toolsOf({ name: 'audit', always_execute: true }) });
    expect(settleStep({ ...finish, blocked: true }, where)).toMatchObject({
      ok: true,
      step: { type: 'finish' },
    });
  });
});

describe('questions', () => {
  const ask = (some: JsonObject): PlanStep => ({
    type: 'ask',
    questions: [{ question_id: 'q', prompt: 'Which?', input_type: 'text', ...some }],
  });

  it('need a prompt, and choices if their input type is choice', () => {
    expect(problems(ask({}))).toEqual([]);
    expect(problems(ask({ prompt: ' ' }))).toHaveLength(1);
    expect(problems(ask({ input_type: 'choice' }))).toHaveLength(1);
    expect(problems(ask({ input_type: 'choice', choices: [] }))).toHaveLength(1);
    expect(problems({ type: 'ask', questions: [] })).toHaveLength(1);
  });

  it('are limited to eight at once', () => {
    const many = (length: number): PlanStep => ({
      type: 'ask',
      questions: Array.from({ length }, (_, index) => ({
        question_id: `q${index}`,
        prompt: 'Which?',
        input_type: 'text',
      })),
    });
    expect(problems(many(8))).toEqual([]);
    expect(problems(many(9))).toEqual(['Ask at most 8 questions at once.']);
  });

  it('need an id each, because answers are returned by it', () => {
    const twice = { question_id: 'q', prompt: 'Which?', input_type: 'text' } as const;
    expect(problems({ type: 'ask', questions: [twice, { ...twice, prompt: 'When?' }] })).toEqual([
      expect.stringContaining('the same question_id'),
    ]);
  });

  it('can be asked at most twenty times in a run', () => {
    const asked = (times: number) =>
      planContext({
        steps: Array.from({ length: times }, () => ({ type: 'ask', questions: [], answers: {} }) as const),
      });
    expect(problems(ask({}), asked(19))).toEqual([]);
    expect(problems(ask({}), asked(20))).toEqual([expect.stringContaining('asked 20 times')]);
  });
});
