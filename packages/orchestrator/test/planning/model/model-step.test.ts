import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { readModelTurn } from '../../../src/planning/model/model-step.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import { silentTurn } from '../../../src/planning/model/turn-state.js';
import { callStep, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const read = (calls: { name: string; args: JsonObject }[], text = '') => {
  const context = planContext({ tools: toolsOf({ name: 'now' }), steps: [callStep(okCall('now'))] });
  const made = calls.map((call, index) => ({ id: `x${index}`, raw: '', ...call }));
  const turn = { text, calls: made, finishReason: 'stop', usage: {}, state: silentTurn };
  return readModelTurn(turn, context, new ToolNames(context), { input_tokens: 1 });
};

it('reads calls with their text, reads answers, and reports an empty turn', () => {
  const calls = [{ tool_id: 't-now', args: { a: 1 } }];
  const noted = { usage: { input_tokens: 1 }, state: silentTurn };
  const call = { name: 'now', args: { a: 1 } };
  expect(read([call], 'Let me see.')).toEqual({
    ok: true,
    step: { type: 'call', calls, text: 'Let me see.', ...noted },
  });
  expect(read([call])).toEqual({ ok: true, step: { type: 'call', calls, ...noted } });
  expect(read([], 'Hi')).toEqual({ ok: true, step: { type: 'finish', text: 'Hi', ...noted } });
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
            state: silentTurn,
          },
        }
      : { ok: false, problem: 'Every question needs a prompt.' },
  );
});

it('reports a call of ask_person without questions', () => {
  expect(read([{ name: 'ask_person', args: { questions: [] } }])).toMatchObject({ ok: false });
});

it('reads a call of a tool that is not offered as one of an unknown tool', () => {
  const step = { type: 'call', calls: [{ tool_id: 'gone' }] };
  expect(read([{ name: 'gone', args: {} }])).toMatchObject({ step });
});

it('reads the questions of all calls that ask', () => {
  const asking = ['One?', 'Two?'].map((prompt) => ({
    name: 'ask_person',
    args: { questions: [{ prompt }] },
  }));
  expect(read([{ name: 'now', args: {} }, ...asking])).toMatchObject({
    step: {
      type: 'ask',
      questions: [
        { question_id: 'q2.1', prompt: 'One?' },
        { question_id: 'q2.2', prompt: 'Two?' },
      ],
    },
  });
  const [first = { name: '', args: {} }] = asking;
  expect(read([first, { name: 'ask_person', args: {} }])).toMatchObject({ ok: false });
});
