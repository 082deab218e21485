import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { offlinePlanner } from '../../../../src/planning/offline/offline-planner.js';
import { constraints, planContext, swarmMember, toolsOf, type ToolSketch } from '../../plan-fixtures.js';
import { play } from '../../play.js';

const agent: ToolSketch = {
  name: 'research_tea',
  description: 'Researches tea',
  type: 'agent',
  properties: { prompt: { type: 'string' } },
  required: ['prompt'],
};

const answered = async (request: string, sketches: ToolSketch[], answers: Record<string, JsonValue>) =>
  (await play(planContext({ request, tools: toolsOf(...sketches) }), { planner: offlinePlanner(), answers }))
    .text;

it.each<[string, JsonValue, string]>([
  [
    'an agent’s response rather than its result',
    { response: ' # Tea\n\n*Green* <b>tea</b> ', result: { cups: 3 } },
    '# Tea\n\n*Green* <b>tea</b>',
  ],
  ['an agent’s result if its response is empty', { response: '', result: { cups: 3 } }, '- **cups**: 3'],
])('answers with %s', async (_, result, text) => {
  expect(await answered('Research tea', [agent], { research_tea: result })).toBe(text);
});

it('treats a tool result that looks like an agent’s response as data', async () => {
  const tool: ToolSketch = { ...agent, type: 'func', required: [] };
  const text = await answered('Research tea', [tool], { research_tea: { response: '# Tea', result: null } });
  expect(text).not.toMatch(/^# Tea/m);
  expect(text).toContain('response');
});

it('sends a request that matches no member to the closest one, and to no other tool', async () => {
  const swarm = { swarm_name: 'desk', members: [swarmMember('research_tea')], swarm_has_final_tool: false };
  const context = planContext({
    request: 'Sing a song',
    tools: toolsOf({ name: 'charge_card', description: 'Charges a card' }, agent),
    constraints: constraints({ swarm }),
  });
  const { waves } = await play(context, {
    planner: offlinePlanner(),
    answers: { research_tea: { response: 'La' } },
  });
  expect(waves).toEqual([['research_tea {"prompt":"Sing a song"}']]);
});

const io = { signal: new AbortController().signal, onText: () => undefined };

it.each([
  ['Write "Hello" to all', 80, 'Hello'],
  ['Write “Hello” to all', 3, 'Hel'],
  ['Write something', 80, ''],
])(
  'composes text without results from the quotation in %j, within %i characters: %j',
  async (instructions, maxLength, text) => {
    const wanted = { target: 'send.body', instructions, maxLength };
    expect(await offlinePlanner().compose?.(wanted, planContext(), io)).toEqual({ text });
  },
);

it('calls compose first for an argument that only compose may write', async () => {
  const parameters = { type: 'object', properties: {}, required: [] } as const;
  const tools = toolsOf({
    name: 'send_mail',
    description: 'Sends a mail',
    properties: { body: { type: 'string' } },
    required: ['body'],
    metadata: { arg_policies: { body: { compose_artifact: { mode: 'require' } } } },
  });
  const system_tools = ['think', 'compose'].map((name) => ({ name, description: '', parameters }));
  const step = await offlinePlanner().next(planContext({ request: 'Send a mail', tools, system_tools }), io);
  expect(step).toEqual({
    type: 'call',
    calls: [{ tool_id: 'compose', args: { target: 'send_mail.body', instructions: 'Send a mail' } }],
  });
});

it.each([
  [10, []],
  [12, ['get order was called for the first 10 only, not for “ORD-11”, “ORD-12”. Ask for them again.']],
  [21, [expect.stringMatching(/not for “ORD-11”, .*“ORD-20” and 1 more\. Ask/)]],
])('names those of %i items for which no call was made', async (count, told) => {
  const tool: ToolSketch = {
    name: 'get_order',
    description: 'Looks an order up by its number',
    properties: { order_id: { type: 'string', description: 'Number of the order' } },
    required: ['order_id'],
  };
  const orders = Array.from({ length: count }, (_, index) => `ORD-${index + 1}`);
  const text = await answered(`Look up the orders ${orders.join(', ')}`, [tool], {
    get_order: { status: 'paid' },
  });
  expect(text.split('\n').filter((line) => line.includes(' only, '))).toEqual(told);
});
