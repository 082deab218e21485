import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { callStep, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const thought = (id: string) =>
  [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta: `Hm ${id}.` },
    { type: 'reasoning-end', id },
  ] as const;
const text = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Let me ' },
  { type: 'text-delta', id: 't', delta: 'see.' },
  { type: 'text-end', id: 't' },
] as const;
const call = (toolCallId: string) =>
  ({ type: 'tool-call', toolCallId, toolName: 'find', input: '{}' }) as const;
const finish = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  },
} as const;

it.each([
  ['as it was made', [...thought('1'), ...text, ...thought('2'), call('a'), ...thought('3'), call('b')], 2],
  ['with what the rules added before its calls', [...thought('1'), call('a'), ...text], 1],
])('a turn with thoughts is shown again %s', async (_, parts, calls) => {
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream([...parts, finish]) }),
  });
  const planner = modelPlanner({ model });
  const io = { signal: new AbortController().signal, onText: () => undefined };
  const tools = toolsOf({ name: 'find' });
  const step = await planner.next(planContext({ tools }), io);
  const made = Array.from({ length: calls }, () => okCall('find'));
  const added = okCall('find');
  const steps = [{ ...step, ...callStep(added, ...made) }];
  await planner.next(planContext({ tools, steps }), io);
  const shown = model.doStreamCalls[1]?.prompt.find(({ role }) => role === 'assistant')?.content;
  const kinds = parts.flatMap((part) => {
    if (part.type === 'tool-call') return [part.toolCallId];
    if (part.type === 'text-start') return ['Let me see.'];
    return part.type === 'reasoning-start' ? [`Hm ${part.id}.`] : [];
  });
  kinds.splice(kinds.indexOf('a'), 0, added.call_id);
  expect(shown).toMatchObject(
    kinds.map((kind) => (kind.includes('.') ? { text: kind } : { type: 'tool-call', toolCallId: kind })),
  );
});
