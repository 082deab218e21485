import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { composeMessages } from '../../../src/planning/model/compose-messages.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import type { RecordedStep } from '../../../src/planning/plan-context.js';
import { callStep, failedCall, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const afterSteps = (...steps: RecordedStep[]) => {
  const tools = toolsOf({ name: 'a' }, { name: 'b' }, { name: 'ask_person' });
  const context = planContext({ tools, steps });
  return composeMessages(context, new ToolNames(context)).slice(1);
};

it('shows calls with the model’s own ids and reasoning, and their outcomes', () => {
  const state: JsonValue = {
    calls: [
      { id: 'x1', name: 'a', input: { p: 0 }, metadata: { google: { thoughtSignature: 's' } } },
      { id: 'x2', name: 'b', input: {} },
    ],
    reasoning: [{ text: 'hm', metadata: { anthropic: { signature: 'sig' } } }],
    texts: [{ text: 'Let me see.', metadata: { openai: { itemId: 'm1' } } }],
  };
  const [assistant, tool] = afterSteps({
    ...callStep(okCall('a', { n: 1 }, { p: 1 }), failedCall('b')),
    text: 'Let me see.',
    state,
  });
  expect(assistant).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'Let me see.', providerOptions: { openai: { itemId: 'm1' } } },
      {
        type: 'tool-call',
        toolCallId: 'x1',
        toolName: 'a',
        input: { p: 0 },
        providerOptions: { google: { thoughtSignature: 's' } },
      },
      { type: 'tool-call', toolCallId: 'x2', toolName: 'b', input: {} },
    ],
  });
  expect(tool).toEqual({
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'x1', toolName: 'a', output: { type: 'json', value: { n: 1 } } },
      {
        type: 'tool-result',
        toolCallId: 'x2',
        toolName: 'b',
        output: { type: 'error-text', value: 'TOOL_FAILED: It broke.' },
      },
    ],
  });
});

it('shows calls that the rules put in place of an answer as such', () => {
  const state = { calls: [], reasoning: [], texts: [{ text: 'It is done.' }] };
  expect(afterSteps({ ...callStep(okCall('a', 7)), state })).toMatchObject([
    { role: 'assistant', content: 'It is done.' },
    { role: 'user', content: expect.stringContaining('[{"tool":"a","arguments":{},"result":7}]') },
  ]);
});

it('names tools in problems as they are offered', () => {
  const rejected = { type: 'call', calls: [{ tool_id: 'gone', args: {} }] } as const;
  const problems = ['Call one of: "a", "b", "ask_person".'];
  expect(JSON.stringify(afterSteps({ type: 'feedback', rejected, problems }))).toContain('ask_person_2');
});

it('shows questions with their answers', () => {
  const question = { question_id: 'q1', prompt: 'Which?', input_type: 'text' } as const;
  const shown = JSON.stringify(
    afterSteps({ type: 'ask', questions: [question], answers: { q1: 'this one' } }),
  );
  expect(shown).toContain('ask_person');
  expect(shown).toContain('this one');
});

it('shows the choices of a question, and null for a declined answer', () => {
  const question = {
    question_id: 'q1',
    prompt: 'Which?',
    input_type: 'choice',
    choices: ['a', 'b'],
  } as const;
  const [asking, answered] = afterSteps({ type: 'ask', questions: [question], answers: { q1: null } });
  const { question_id: _id, ...shown } = question;
  expect(asking).toMatchObject({ content: [{ input: { questions: [shown] } }] });
  expect(answered).toMatchObject({
    content: [{ output: { value: { answers: [{ prompt: 'Which?', answer: null }] } } }],
  });
});

it('shows a call without an outcome as not run', () => {
  const [, tool] = afterSteps(callStep({ call_id: 'c', tool_id: 't-a', args: {} }));
  expect(tool).toMatchObject({ content: [{ output: { type: 'error-text', value: 'not run' } }] });
});

it('states the problems of a refused step once, however many calls it has', () => {
  const calls = ['nope', 'a', 'b'].map((tool_id) => ({ tool_id, args: {} }));
  const problems = ['There is no tool nope.'];
  const [, results] = afterSteps({ type: 'feedback', rejected: { type: 'call', calls }, problems });
  const outputs = Array.isArray(results?.content) ? results.content : [];
  expect(outputs).toHaveLength(3);
  expect(JSON.stringify(outputs).split('There is no tool nope.')).toHaveLength(2);
});

it('shows a refused step with its problems', () => {
  const call = {
    type: 'feedback',
    rejected: { type: 'call', calls: [{ tool_id: 'nope', args: {} }] },
    problems: ['There is no tool "nope".'],
  } as const;
  expect(afterSteps(call)).toMatchObject([
    { content: [{ type: 'tool-call', toolName: 'nope' }] },
    { content: [{ output: { type: 'error-text', value: 'Not run. There is no tool "nope".' } }] },
  ]);
  const early = {
    type: 'feedback',
    rejected: { type: 'finish', text: 'Done.' },
    problems: ['"a" has not run.'],
  } as const;
  expect(afterSteps(early)).toEqual([
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: '[planning rules] This answer cannot be accepted yet:\n"a" has not run.' },
  ]);
});
