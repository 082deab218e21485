import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../../src/planning/offline/offline-planner.js';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import { planContext, toolsOf } from '../plan-fixtures.js';

const length = 400_000;
const repeat = (text: string) => text.repeat(length / text.length);

const askFor = (description: string) =>
  planContext({
    request: 'Send an email',
    tools: toolsOf({
      name: 'send_email',
      properties: { reason: { type: 'string', description } },
      required: ['reason'],
    }),
  });
const recall = (text: string) =>
  planContext({
    request: 'What is alpha?',
    memory: [{ kind: 'skill', id: 's1', title: 'alpha', text }],
  });

const choose = (members: readonly string[]) =>
  planContext({
    request: `Send ${'a '.repeat(1_900)}`,
    tools: toolsOf({ name: 'send_email', properties: { kind: { enum: [...members] } }, required: ['kind'] }),
  });
const count = (names: readonly string[]) =>
  planContext({
    request: `Send ${'1,'.repeat(1_900)}x`,
    tools: toolsOf({
      name: 'send_email',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
      required: [...names],
    }),
  });
const numbered = (text: string, times: number) => Array.from({ length: times }, (_, at) => `${text}${at}`);

// Each of these once blocked the event loop for minutes.
describe('the offline planner with a text written to keep it busy', () => {
  it.each<[string, PlanContext, string]>([
    [
      'a request that seems to contain results',
      planContext({ request: `Hello\n\nDependency context:${repeat('\n')}` }),
      'finish',
    ],
    ['a description with very many full stops', askFor(`x${repeat('.')}x`), 'ask'],
    ['a skill in capitals', recall(repeat('A')), 'finish'],
    ['a skill that only repeats "where"', recall(repeat('where ')), 'finish'],
    [
      'very many negations',
      planContext({ request: 'not 1, '.repeat(600), tools: toolsOf({ name: 'send_email' }) }),
      'finish',
    ],
    ['choices of a thousand words each', choose(numbered('a '.repeat(1_000), 400)), 'ask'],
    ['numbers for very many arguments', count(numbered('size_', 1_500)), 'ask'],
  ])(
    'handles %s',
    async (_text, context, type) => {
      const step = await offlinePlanner().next(context, {
        signal: AbortSignal.timeout(600_000),
        onText: () => {},
      });
      expect(step.type).toBe(type);
    },
    20_000,
  );
});

describe('the offline planner with a very long name', () => {
  const name = 'send_'.repeat(40_000);
  const string = { type: 'string' };
  it.each<[string, Parameters<typeof toolsOf>[0]]>([
    ['a tool', { name }],
    ['a string', { name: 'send_email', properties: { [name]: string } }],
    ['an array', { name: 'send_email', properties: { [name]: { type: 'array', items: string } } }],
    ['a boolean', { name: 'send_email', properties: { [name]: { type: 'boolean' } } }],
    ['an enum value', { name: 'send_email', properties: { kind: { enum: [name, 'short'] } } }],
  ])('plans if %s has that name', async (_what, tool) => {
    const context = planContext({ request: 'Send an email to Ada now', tools: toolsOf(tool) });
    const step = await offlinePlanner().next(context, {
      signal: AbortSignal.timeout(600_000),
      onText: () => {},
    });
    expect(step).toMatchObject({ type: 'call', calls: [{ args: {} }] });
  });
});
