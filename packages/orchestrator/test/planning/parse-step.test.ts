import { expect, it } from 'vitest';
import { parseStep } from '../../src/planning/parse-step.js';

const question = { question_id: 'q', prompt: 'Who?', input_type: 'text' };
const asking = (some: object) => ({ type: 'ask', questions: [{ ...question, ...some }] });

it.each<[string, unknown]>([
  ['(root)', null],
  ['(root)', 'canary'],
  ['type', { type: 'canary' }],
  ['text', { type: 'finish', text: { canary: 1 } }],
  ['usage.input_tokens', { type: 'finish', text: 'x', usage: { input_tokens: -1 } }],
  ['calls', { type: 'call', calls: null }],
  ['calls.0', { type: 'call', calls: ['canary'] }],
  ['calls.0.tool_id', { type: 'call', calls: [{ tool_id: 7, args: {} }] }],
  ['calls.0.args', { type: 'call', calls: [{ tool_id: 'a', args: ['canary'] }] }],
  ['questions', { type: 'ask' }],
  ['questions.0.question_id', asking({ question_id: undefined })],
  ['questions.0.prompt', asking({ prompt: 7 })],
  ['questions.0.input_type', asking({ input_type: 'canary' })],
  ['questions.0.choices.1', asking({ input_type: 'choice', choices: ['a', null] })],
])('refuses a step and says that %s is wrong', (path, step) => {
  const message = expect.stringContaining(`The planner returned an invalid step: ${path}: `);
  expect(() => parseStep(step)).toThrow(expect.objectContaining({ code: 'PLANNER_INVALID_STEP', message }));
  expect(() => parseStep(step)).not.toThrow('canary');
});

it('returns a valid step unchanged', () => {
  const usage = { input_tokens: 3, reasoning_tokens: 0 };
  const call = { type: 'call', calls: [{ tool_id: 'a', args: { deep: [{ n: null }] } }], text: 'Looking.' };
  const finish = { type: 'finish', text: '', result: null, blocked: true, usage, state: [1] };
  for (const step of [call, finish, asking({ tool_id: 'a', arg_name: 'b', choices: [] })])
    expect(parseStep(step)).toEqual(step);
});

it('takes a call without arguments as one with none', () => {
  const calls = [{ tool_id: 'a' }];
  expect(parseStep({ type: 'call', calls })).toEqual({ type: 'call', calls: [{ tool_id: 'a', args: {} }] });
});

it('counts null as absent, except as a result', () => {
  const nulls = { usage: null, state: null };
  const call = { type: 'call', calls: [{ tool_id: 'a', args: null }], text: null, ...nulls };
  expect(parseStep(call)).toEqual({ type: 'call', calls: [{ tool_id: 'a', args: {} }] });
  expect(parseStep({ ...asking({ choices: null, tool_id: null }), ...nulls })).toEqual(asking({}));
  const finish = { type: 'finish', text: '', result: null };
  expect(parseStep({ ...finish, blocked: null, usage: { input_tokens: null } })).toEqual({
    ...finish,
    usage: {},
  });
});
