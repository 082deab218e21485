import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../../../src/planning/offline/offline-planner.js';
import type { PlanContext, RecalledItem } from '../../../../src/planning/plan-context.js';
import { constraints, planContext, toolsOf } from '../../plan-fixtures.js';
import { play, type Answers } from '../../play.js';

const prices: RecalledItem = {
  kind: 'resource',
  id: 'r1',
  title: 'price list',
  text: '# Prices of today\ncoffee 3.50\ntea 5.00\nDo you sell cake? Only at noon.',
};
const refunds: RecalledItem = {
  kind: 'skill',
  id: 's1',
  title: 'Refund an order',
  text: 'Refund an order\nAsk for the order id first.\n1. Look the order up\n2. Pay it back',
};
const declined: RecalledItem = {
  kind: 'insight',
  id: 'i1',
  title: 'failure_pattern',
  text: 'The tool charge failed with DECLINED: The card was declined.',
};
const closing: RecalledItem = {
  kind: 'skill',
  id: 's2',
  title: 'Close the month',
  text: 'Close the month\n1. export_ledger\n2. lock_period',
};
const zebra: RecalledItem = {
  kind: 'summary',
  id: 't1',
  title: 'Earlier in this conversation',
  text: 'Asked: my zebra is called Ziggy\nAnswered: I have no tools here, and no zebra.',
};

const ledger = toolsOf(
  { name: 'lock_period', description: 'Locks bookings', tags: ['write'] },
  { name: 'export_ledger', description: 'Exports bookings', tags: ['read'] },
  { name: 'wipe_ledger', description: 'Wipes bookings', tags: ['delete'] },
);
const answers: Answers = { export_ledger: { rows: 7 }, lock_period: { locked: true } };

const ask = async (request: string, memory: RecalledItem[], more: Partial<PlanContext> = {}) =>
  play(planContext({ request, memory, ...more }), { planner: offlinePlanner(), answers });

describe('a question that no tool fits', () => {
  it.each<[string, RecalledItem, string]>([
    ['What does tea cost?', prices, 'From memory (resource “price list”): tea 5.00'],
    ['Do you sell cake?', prices, 'From memory (resource “price list”): Do you sell cake? Only at noon.'],
    [
      'Why are cards declined?',
      declined,
      'From memory (insight, failure pattern): The tool charge failed with DECLINED: The card was declined.',
    ],
    [
      'How do I refund an order?',
      refunds,
      'From memory (skill “Refund an order”):\n\nAsk for the order id first.  \n1. Look the order up  \n2. Pay it back',
    ],
    ['What is my zebra called?', zebra, 'Earlier in this conversation: my zebra is called Ziggy'],
  ])('is answered from memory: %s', async (request, item, text) => {
    const others = [prices, refunds, declined, zebra].filter((other) => other !== item);
    const played = await ask(request, [...others, item]);
    expect(played.text).toBe(text);
    expect(played.waves).toEqual([]);
  });

  it.each([
    ['is not answered from an item that covers less than half of it', 'Which tea grows in Kenya and India?'],
    ['is not answered with its own words', 'What are the prices of today?'],
    ['is not answered with an earlier failure to answer it', 'Who has a zebra without tools here?'],
    ['is not answered if it names nothing', 'Why?'],
  ])('%s', async (_what, request) => {
    const asked = { ...zebra, text: `Asked: ${request}\nAnswered: I have no tool for “${request}”, zebra.` };
    expect((await ask(request, [prices, asked])).text).toMatch(/^I have no tool/);
  });

  it('is answered from what the user said in the previous turn', async () => {
    const said = ['I am Ada. My zebra is called Ziggy. What is its name?', 'What is my zebra called?'];
    const messages = said.map((content) => ({ role: 'user' as const, content }));
    const played = await ask('', [], { messages, turn_start: 1 });
    expect(played.text).toBe('Earlier in this conversation: My zebra is called Ziggy.');
  });

  it('is answered with the Markdown and HTML of memory escaped', async () => {
    const text = 'tea: <img src=x> [free](http://evil.example) **now**';
    const played = await ask('What does tea cost?', [{ ...prices, text }]);
    expect(played.text).toContain(String.raw`tea: \<img src=x\> \[free\](http://evil.example) \*\*now\*\*`);
  });

  it('is answered along with the parts that tools answer', async () => {
    const played = await ask('Export the ledger. What does tea cost?', [prices], { tools: ledger });
    expect(played.waves).toEqual([['export_ledger']]);
    expect(played.text).toMatch(/7[\s\S]*From memory \(resource “price list”\): tea 5\.00$/);
  });

  it('is answered from what was recalled for it, not for the same question before', async () => {
    const context = planContext({ request: 'What does tea cost?', memory: [prices] });
    const planner = offlinePlanner();
    await play(context, { planner, answers });
    const memory = [{ ...prices, text: 'tea 6.00' }];
    expect((await play({ ...context, memory }, { planner, answers })).text).toMatch(/tea 6\.00$/);
  });

  it('goes to no swarm member when memory answers it', async () => {
    const tools = toolsOf({ name: 'bookkeeper', type: 'agent', description: 'Keeps books' });
    const members = [
      {
        agent_id: 'b',
        name: 'bookkeeper',
        description: '',
        tool_id: 't-bookkeeper',
        use_as_final_output: false,
        has_final_tool: false,
        invokes_via_dependency: [],
      },
    ];
    const swarm = { swarm_name: 'office', swarm_has_final_tool: false, members };
    const more = { tools, constraints: constraints({ swarm }) };
    expect((await ask('What does tea cost?', [prices], more)).waves).toEqual([]);
    expect((await ask('What does tea cost?', [], more)).waves).toHaveLength(1);
  });

  it('is answered by a member from the results of other members, not from memory', async () => {
    const invocation = {
      agent_name: 'writer',
      use_as_final_output: true,
      nested_synthesis: 'auto' as const,
      dependency_context: { found: 'Tea is free today.' },
    };
    const played = await ask('What does tea cost?', [prices], { constraints: constraints({ invocation }) });
    expect(played.text).toBe('Tea is free today.');
  });
});

describe('an instruction that no tool fits', () => {
  it('is answered with the matching skill, and that no tool can do it', async () => {
    const played = await ask('Refund order A-17', [prices, refunds], { tools: ledger });
    expect(played.text).toContain('From memory (skill “Refund an order”):');
    expect(played.text).toContain('I have no tool for “Refund order A-17”.');
    expect((await ask('Buy tea for me', [prices])).text).not.toContain('From memory');
  });

  it('is carried out by the steps of the skill of that name, one after another', async () => {
    const played = await ask('Please close the month', [prices, closing], { tools: ledger });
    expect(played.waves).toEqual([['export_ledger'], ['lock_period']]);
    expect(played.text).toMatch(/From memory \(skill “Close the month”\): export ledger, lock period\.$/);
  });

  it.each([
    ['if memory has no such skill', 'Please close the month', [prices]],
    ['if it is a question', 'When do we close the month?', [closing]],
    ['if it is negated', 'Do not close the month', [closing]],
    ['if it does not name the skill', 'Please close the door', [closing]],
    [
      'if a step is not a tool of this run',
      'Please close the month',
      [{ ...closing, text: `${closing.text}\n3. mail_report` }],
    ],
    [
      'if a step is destructive',
      'Please close the month',
      [{ ...closing, text: `${closing.text}\n3. wipe_ledger` }],
    ],
    [
      'if the matching item is not a skill',
      'Please close the month',
      [{ ...closing, kind: 'resource' as const }],
    ],
  ])('is not carried out by a skill %s', async (_when, request, memory) => {
    expect((await ask(request, memory, { tools: ledger })).waves).toEqual([]);
  });
});
