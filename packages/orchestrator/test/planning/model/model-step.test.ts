import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { readModelTurn } from '../../../src/planning/model/model-step.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import { callStep, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const read = (calls: { name: string; args: JsonObject }[], text = '') => {
  const context = planContext({ tools: toolsOf({ name: 'now' }), steps: [callStep(okCall('now'))] });
  const made = calls.map((call, index) => ({ id: `x${index}`, raw: '', ...call }));
  const turn = { text, calls: made, finishReason: 'stop', usage: {}, state: { calls: [], reasoning: [] } };
  return readModelTurn(turn, context, new ToolNames(context), { input_tokens: 1 });
};

it('reads calls with their text, reads answers, and reports an empty turn', () => {
  const calls = [{ tool_id: 't-now', args: { a: 1 } }];
  const usage = { input_tokens: 1 };
  const call = { name: 'now', args: { a: 1 } };
  expect(read([call], 'Let me see.')).toEqual({
    ok: true,
    step: { type: 'call', calls, text: 'Let me see.', usage },
  });
  expect(read([call])).toEqual({ ok: true, step: { type: 'call', calls, usage } });
  expect(read([], 'Hi')).toEqual({ ok: true, step: { type: 'finish', text: 'Hi', usage } });
  expect(read([], ' \n')).toEqual({ ok: false, problem: 'You said nothing. Call a tool or answer.' });
});

it.each<[JsonObject, object | undefined]>([
  [{ prompt: 'Which?' }, { input_type: 'text' }],
  [{ prompt: 'Which?', input_type: 'number' }, { input_type: 'number' }],
  [{ prompt: 'Which?', input_type: 'date' }, { input_type: 'text' }],
  [{ prompt: 'Which?', input_type: 'choice' }, { input_type: 'text' }],
  [
    { prompt: 'Which?', choices: ['a'] },
    { input_type: 'choice', choices: ['a'] },
  ],
  [{ prompt: 'Which?', choices: [] }, { input_type: 'text' }],
  [{ prompt: '' }, undefined],
  [{}, undefined],
])('reads the question %j', (question, asked) => {
  expect(read([{ name: 'ask_person', args: { questions: [question] } }])).toEqual(
    asked
      ? {
          ok: true,
          step: {
            type: 'ask',
            questions: [{ question_id: 'q2.1', prompt: 'Which?', ...asked }],
            usage: { input_tokens: 1 },
            state: { calls: [], reasoning: [] },
          },
        }
      : { ok: false, problem: 'Every question needs a prompt.' },
  );
});

it('reports a call of ask_person without questions', () => {
  expect(read([{ name: 'ask_person', args: { questions: [] } }])).toMatchObject({ ok: false });
});

it.each(['give_answer', 'gone'])(
  'reads a call of %s, which is not offered, as one of an unknown tool',
  (name) => {
    expect(read([{ name, args: {} }])).toMatchObject({ step: { type: 'call', calls: [{ tool_id: name }] } });
  },
);

it('keeps only the state of the ask_person call if other tools were called too', () => {
  const context = planContext();
  const args = { questions: [{ prompt: 'Which?' }] };
  const asking = { id: 'x2', metadata: { google: { thoughtSignature: 's2' } } };
  const turn = {
    text: '',
    calls: [
      { id: 'x1', name: 'now', args: {}, raw: '{}' },
      { id: 'x2', name: 'ask_person', args, raw: JSON.stringify(args) },
    ],
    finishReason: 'tool-calls',
    usage: {},
    state: { calls: [{ id: 'x1', metadata: { google: { thoughtSignature: 's1' } } }, asking], reasoning: [] },
  };
  expect(readModelTurn(turn, context, new ToolNames(context), {})).toMatchObject({
    ok: true,
    step: { type: 'ask', state: { calls: [asking], reasoning: [] } },
  });
});
