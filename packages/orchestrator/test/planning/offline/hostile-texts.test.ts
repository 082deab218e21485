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

// Each took minutes, in which an orchestrator answered nobody.
describe('the offline planner, of a text that somebody wrote to keep it busy', () => {
  it.each<[string, PlanContext, string]>([
    [
      'a request that seems to bring results along',
      planContext({ request: `Hello\n\nDependency context:${repeat('\n')}` }),
      'finish',
    ],
    ['a description that ends in full stops, and then does not', askFor(`x${repeat('.')}x`), 'ask'],
    ['a skill of capitals', recall(repeat('A')), 'finish'],
    ['a skill that only says where', recall(repeat('where ')), 'finish'],
    ['choices of a thousand words', choose(numbered('a '.repeat(1_000), 400)), 'ask'],
    ['numbers for very many arguments', count(numbered('size_', 1_500)), 'ask'],
  ])(
    'reads %s, however long it is',
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

describe('the offline planner, of a name that nobody can say', () => {
  const name = 'send_'.repeat(40_000);
  const string = { type: 'string' };
  it.each<[string, Parameters<typeof toolsOf>[0]]>([
    ['a tool', { name }],
    ['a text', { name: 'send_email', properties: { [name]: string } }],
    ['a list', { name: 'send_email', properties: { [name]: { type: 'array', items: string } } }],
    ['a flag', { name: 'send_email', properties: { [name]: { type: 'boolean' } } }],
    ['a choice', { name: 'send_email', properties: { kind: { enum: [name, 'short'] } } }],
  ])('plans with %s of that name', async (_what, tool) => {
    const context = planContext({ request: 'Send an email to Ada now', tools: toolsOf(tool) });
    const step = await offlinePlanner().next(context, {
      signal: AbortSignal.timeout(600_000),
      onText: () => {},
    });
    expect(step).toMatchObject({ type: 'call', calls: [{ args: {} }] });
  });
});
