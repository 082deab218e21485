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

/** Returns how a turn with these parts is shown to the model in its next turn. */
async function shownAgain(parts: Parts, record: (step: PlanStep) => RecordedStep) {
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream([...parts, finish]) }),
  });
  const planner = modelPlanner({ model });
  const io = { signal: new AbortController().signal, onText: () => undefined };
  const tools = toolsOf({ name: 'find' });
  const step = await planner.next(planContext({ tools }), io);
  await planner.next(planContext({ tools, steps: [record(step)] }), io);
  return model.doStreamCalls[1]?.prompt.find(({ role }) => role === 'assistant')?.content;
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

it.each([
  [
    'in its original order',
    [...thought('1'), ...text('m'), ...thought('2'), call('a'), ...thought('3'), call('b')],
  ],
  ['with a call that the rules added before its own', [...thought('1'), call('a'), ...text('m')]],
  ['with each of its texts', [...thought('1'), ...text('m'), ...thought('2'), ...text('n'), call('a')]],
])('shows a turn with reasoning again %s', async (_, parts) => {
  const added = okCall('find');
  const made = parts.filter(({ type }) => type === 'tool-call').map(() => okCall('find'));
  const shown = await shownAgain(parts, (step) => ({ ...step, ...callStep(added, ...made) }));
  const kinds = kindsOf(parts);
  kinds.splice(
    kinds.findIndex(({ type }) => type === 'tool-call'),
    0,
    {
      type: 'tool-call',
      toolCallId: added.call_id,
    },
  );
  expect(shown).toMatchObject(kinds);
});

it.each([
  ['the text before it', [...thought('1'), ...text('m'), ask('q')]],
  [
    'the reasoning before it, but without another call',
    [...thought('1'), call('a'), ...thought('2'), ask('q')],
  ],
])('shows a question again with %s', async (_, parts) => {
  const shown = await shownAgain(parts, (step) => {
    if (step.type !== 'ask') throw new Error('no question');
    return { ...step, answers: {} };
  });
  expect(shown).toMatchObject(kindsOf(parts).filter(({ toolCallId }) => toolCallId !== 'a'));
});
