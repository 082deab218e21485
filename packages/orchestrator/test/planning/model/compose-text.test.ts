import { expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import type { PlanContext, RecordedCall } from '../../../src/planning/plan-context.js';
import { callStep, failedCall, okCall, planContext, toolsOf } from '../plan-fixtures.js';
import { scriptedModel } from './scripted-model.js';

/** Composes text for an argument, and returns it with what the model was asked. */
async function compose(context: PlanContext) {
  const model = scriptedModel([{ text: ['Dear ', 'all'] }]);
  const said: string[] = [];
  const composed = await modelPlanner({ model }).compose?.(
    { target: 'send.body', instructions: 'Greet them', maxLength: 80 },
    context,
    { signal: new AbortController().signal, onText: (delta) => said.push(delta) },
  );
  const { prompt = [], toolChoice } = model.doStreamCalls[0] ?? {};
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return {
    composed,
    said,
    toolChoice,
    results,
    prompt,
    roles: prompt.map(({ role }) => role),
    asked: JSON.stringify(prompt.at(-1)),
  };
}

it('composes text from the conversation and results of a run, without calling a tool', async () => {
  const steps = [callStep(okCall('find', 'Ada'))];
  const { composed, said, toolChoice, asked, roles } = await compose(
    planContext({ tools: toolsOf({ name: 'find' }), steps }),
  );
  expect(composed).toMatchObject({ text: 'Dear all', usage: { input_tokens: 100, output_tokens: 20 } });
  expect(said).toEqual(['Dear ', 'all']);
  expect(toolChoice).toEqual({ type: 'none' });
  expect(asked).toContain('Write the text for send.body. At most 80 characters.');
  expect(asked).toContain('Greet them');
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
});

const open = (name: string): RecordedCall => ({ call_id: `open-${name}`, tool_id: `t-${name}`, args: {} });

it.each<[string, RecordedCall[], string[]]>([
  [
    'but the other calls of their step that have ended',
    [okCall('find'), open('compose'), failedCall('look')],
    ['find', 'look'],
  ],
  ['nor their step if all its calls are open', [open('compose'), open('look')], []],
])('does not show open calls to the model, %s', async (_, calls, shown) => {
  const tools = toolsOf({ name: 'first' }, { name: 'find' }, { name: 'look' }, { name: 'compose' });
  const { results, prompt } = await compose(
    planContext({ tools, steps: [callStep(okCall('first')), callStep(...calls)] }),
  );
  expect(results).toMatchObject([{ toolName: 'first' }]);
  // They are no whole turn of the model.
  const told = Array.from(JSON.stringify(prompt).matchAll(/tool\\":\\"(\w+)/g), ([, name]) => name);
  expect(told).toEqual(shown);
});
