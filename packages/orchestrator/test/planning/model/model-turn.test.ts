import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { ASK_TOOL_NAME } from '../../../src/planning/model/tool-names.js';
import type { RecordedStep } from '../../../src/planning/plan-context.js';
import type { PlanStep } from '../../../src/planning/plan-step.js';
import { callStep, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const thought = (id: string) =>
  [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta: `Hm ${id}.` },
    { type: 'reasoning-end', id },
  ] as const;
const text = (id: string) =>
  [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: 'Let me ' },
    { type: 'text-delta', id, delta: `see ${id}.` },
    { type: 'text-end', id, providerMetadata: { openai: { itemId: id } } },
  ] as const;
const call = (toolCallId: string, toolName = 'find', input = '{}') =>
  ({ type: 'tool-call', toolCallId, toolName, input }) as const;
const ask = (id: string) => call(id, ASK_TOOL_NAME, '{"questions":[{"prompt":"Which one?"}]}');
const finish = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  },
} as const;

type Parts = readonly (ReturnType<typeof thought | typeof text>[number] | ReturnType<typeof call>)[];

/** Returns the messages after those of the user when the model is asked again after a turn with these parts. */
async function askedAgain(parts: Parts, record: (step: PlanStep) => RecordedStep) {
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream([...parts, finish]) }),
  });
  const planner = modelPlanner({ model });
  const io = { signal: new AbortController().signal, onText: () => undefined };
  const tools = toolsOf({ name: 'find' });
  const step = await planner.next(planContext({ tools }), io);
  await planner.next(planContext({ tools, steps: [record(step)] }), io);
  return model.doStreamCalls[1]?.prompt.slice(2);
}

const kindsOf = (parts: Parts) =>
  parts.flatMap((part): { type: string; [field: string]: unknown }[] => {
    if (part.type === 'tool-call') return [{ type: 'tool-call', toolCallId: part.toolCallId }];
    if (part.type === 'text-start')
      return [
        { type: 'text', text: `Let me see ${part.id}.`, providerOptions: { openai: { itemId: part.id } } },
      ];
    return part.type === 'reasoning-start' ? [{ type: 'reasoning', text: `Hm ${part.id}.` }] : [];
  });

const answered = (step: PlanStep): RecordedStep => {
  if (step.type !== 'ask') throw new Error('no question');
  const answers = step.questions.map(({ question_id }) => [question_id, `answer to ${question_id}`]);
  return { ...step, answers: Object.fromEntries(answers) };
};

it.each([
  [
    'in its original order',
    [...thought('1'), ...text('m'), ...thought('2'), call('a'), ...thought('3'), call('b')],
  ],
  ['with a text after its calls', [...thought('1'), call('a'), ...text('m')]],
  ['with each of its texts', [...thought('1'), ...text('m'), ...thought('2'), ...text('n'), call('a')]],
])('shows a turn with reasoning again %s, and then the calls that the rules added', async (_, parts) => {
  const made = parts.filter(({ type }) => type === 'tool-call').map(() => okCall('find'));
  const shown = await askedAgain(parts, (step) => ({
    ...step,
    ...callStep(okCall('find', 'added'), ...made),
  }));
  expect(shown).toMatchObject([
    { role: 'assistant', content: kindsOf(parts) },
    { role: 'tool', content: made.map(() => ({ output: { type: 'json', value: null } })) },
    {
      role: 'user',
      content: [{ text: expect.stringContaining('{"tool":"find","arguments":{},"result":"added"}') }],
    },
  ]);
});

it('shows a question again with the text and the reasoning before it', async () => {
  const parts = [...thought('1'), ...text('m'), ask('q')];
  expect(await askedAgain(parts, answered)).toMatchObject([{ content: kindsOf(parts) }, { role: 'tool' }]);
});

it('asks all questions of a turn at once, and says that its other calls were not run', async () => {
  const parts = [call('a'), ...thought('1'), ask('q'), ask('r')];
  const answer = (id: string) => ({
    value: { answers: [{ prompt: 'Which one?', answer: `answer to ${id}` }] },
  });
  expect(await askedAgain(parts, answered)).toMatchObject([
    { content: kindsOf(parts) },
    {
      content: [
        { toolCallId: 'a', output: { type: 'error-text', value: expect.stringContaining('Not run') } },
        { toolCallId: 'q', output: answer('q1.1') },
        { toolCallId: 'r', output: answer('q1.2') },
      ],
    },
  ]);
});

it('shows the calls of a turn that the rules replaced by a question, and the answer to it', async () => {
  const parts = [...thought('1'), call('a')];
  const question = { question_id: 'approve:x', prompt: 'Use it?', input_type: 'boolean' } as const;
  const shown = await askedAgain(parts, ({ state = null }) => ({
    type: 'ask',
    questions: [question],
    answers: { 'approve:x': true },
    state,
  }));
  expect(shown).toMatchObject([
    { content: kindsOf(parts) },
    { content: [{ toolCallId: 'a', output: { value: expect.stringContaining('Not run') } }] },
    { role: 'user', content: [{ text: expect.stringContaining('{"prompt":"Use it?","answer":true}') }] },
  ]);
});

it('shows an answer that the rules replaced by calls, and what came of them', async () => {
  const shown = await askedAgain([...thought('1'), ...text('m')], ({ state = null }) => ({
    ...callStep(okCall('find', 'here')),
    state,
  }));
  expect(shown).toMatchObject([
    { role: 'assistant', content: [{ type: 'text', text: 'Let me see m.' }] },
    { role: 'user', content: [{ text: expect.stringContaining('"result":"here"') }] },
  ]);
});
