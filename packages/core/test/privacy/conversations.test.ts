import { createOrchestrator, type Planner } from '@svc/orchestrator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent, Client, type RunOptions } from '../../src/index.js';
import { AIMessage, HumanMessage, PrivateData, RedactedMessage } from '../../src/messages.js';
import { Conversations } from '../../src/privacy/conversations.js';

const john = new RedactedMessage('Mail john@example.com');
const bob = new RedactedMessage('Mail bob@example.org');
const PLACEHOLDER = /\{_\{.+?\}_\}/g;

/** The placeholders that the planner read in the latest turn. */
let read: string[];
/** The recipients passed to the tool. */
let mailed: unknown[];

/** Mails the first placeholder of the conversation. */
const planner: Planner = {
  name: 'mails-the-first',
  async next({ messages, steps, tools: [tool] }) {
    if (steps.length > 0) return { type: 'finish', text: `Mailed ${read[0] ?? 'nobody'}.` };
    read = messages.flatMap(({ content }) => content.match(PLACEHOLDER) ?? []);
    return { type: 'call', calls: [{ tool_id: tool?.tool_id ?? '', args: { to: read[0] ?? 'nobody' } }] };
  },
};
const orchestrator = createOrchestrator({ planner });

beforeAll(async () => {
  await orchestrator.listen({ port: 0 });
});

afterAll(async () => {
  await orchestrator.close();
});

beforeEach(() => {
  mailed = [];
});

/** A new agent, as another process or request would create it. */
function createAgent(options: { threadId?: string } = {}): Agent {
  const client = new Client({ apiKey: orchestrator.apiKey, baseUrl: orchestrator.url, ...options });
  const agent = new Agent({ name: 'post', client });
  const input = z.object({ to: z.union([z.number(), z.string()]) });
  agent.toolify({ name: 'send_mail', description: 'Send a mail', input }, ({ to }) => void mailed.push(to));
  return agent;
}

describe('a placeholder of an earlier turn', () => {
  let thread = 0;
  let options: RunOptions;

  beforeEach(() => {
    thread += 1;
    options = { threadId: `thread-${thread}` };
  });

  it('keeps its value, and another value gets another placeholder', async () => {
    await using agent = createAgent();
    await agent.invoke(john, options);
    const { response } = await agent.invoke(bob, options);
    expect(mailed).toEqual(['john@example.com', 'john@example.com']);
    expect(response).toBe('Mailed john@example.com.');
    await agent.invoke('Once more', options);
    await agent.invoke(john, options);
    expect(mailed).toEqual(Array.from({ length: 4 }, () => 'john@example.com'));
    // Those of: John's message and its answer, Bob's message and its answer, the third answer, John's message.
    const [first, , second] = read;
    expect(read).toEqual([first, first, second, first, first, first]);
    expect(second).not.toBe(first);
  });

  it('is neither resolved nor reused by an agent that does not know it', async () => {
    await using agent = createAgent();
    await agent.invoke(john, options);
    await using other = createAgent(options as { threadId: string });
    const { response } = await other.invoke(bob);
    expect(mailed).toEqual(['john@example.com', read[0]]);
    expect(response).toBe(`Mailed ${read[0]}.`);
    expect(new Set(read).size).toBe(2);
  });

  it('is not resolved in another thread', async () => {
    await using agent = createAgent();
    await agent.invoke(john, options);
    const [placeholder = ''] = read;
    await agent.invoke(`Mail ${placeholder}`, { threadId: `${options.threadId}-other` });
    expect(mailed).toEqual(['john@example.com', placeholder]);
  });

  it('of a known number resolves to a number', async () => {
    await using agent = createAgent();
    const knownPiiValues = [new PrivateData({ value: 4711, name: 'account' })];
    await agent.invoke(new RedactedMessage('Mail account 4711', { knownPiiValues }), options);
    await agent.invoke(bob, options);
    expect(mailed).toEqual([4711, 4711]);
  });

  it('with an explicit name resolves to the value that has the name now', async () => {
    await using agent = createAgent();
    const mail = async (to: string) => {
      const knownPiiValues = [new PrivateData({ value: to, name: 'customer' })];
      return agent.invoke(new RedactedMessage(`Mail ${to}`, { knownPiiValues }), options);
    };
    await mail('Maria Santos');
    await mail('Robert Kaminski');
    await agent.invoke('Once more', { ...options, privateData: { customer: 'nobody else' } });
    expect(mailed).toEqual(['Maria Santos', 'Robert Kaminski', '{_{customer}_}']);
  });

  it('still resolves after its value gets an explicit name, which is used from then on', async () => {
    await using agent = createAgent();
    await agent.invoke(john, options);
    const knownPiiValues = [new PrivateData({ value: 'john@example.com', name: 'customer' })];
    await agent.invoke(new RedactedMessage('Mail john@example.com', { knownPiiValues }), options);
    expect(mailed).toEqual(['john@example.com', 'john@example.com']);
    expect(read.at(-1)).toBe('{_{customer}_}');
  });
});

it.each([
  ['a message', [new HumanMessage('Mail {_{pii_email_1}_}'), new AIMessage('Done.'), bob]],
  ['a redacted message', [new RedactedMessage('Mail {_{pii_email_1}_}'), bob]],
])(
  'a placeholder copied into %s from an earlier run is not given to a new value',
  async (_what, messages) => {
    await using agent = createAgent();
    await agent.invoke(messages);
    expect(mailed).toEqual(['{_{pii_email_1}_}']);
    expect(read.at(-1)).toBe('{_{pii_email_2}_}');
  },
);

it('placeholders in a history resolve to the values of its redacted messages', async () => {
  await using agent = createAgent();
  await agent.invoke([john, new AIMessage('Mailed {_{pii_email_1}_}.'), bob]);
  expect(mailed).toEqual(['john@example.com']);
  expect(read).toEqual(['{_{pii_email_1}_}', '{_{pii_email_1}_}', '{_{pii_email_2}_}']);
});

it.each([
  ['with memory does not number placeholders from 1', { memoryConfig: { level: 'focus' } }, false],
  [
    'that recalls memory assets does not number placeholders from 1',
    { memoryAssetsConfig: { recallTurnActive: true } },
    false,
  ],
  ['with memory disabled numbers placeholders from 1', { memoryConfig: { enabled: false } }, true],
] as const)('a run %s', async (_what, options, isFirst) => {
  await using agent = createAgent();
  await agent.invoke(john, options);
  expect(read[0] === '{_{pii_email_1}_}').toBe(isFirst);
});

it('remembers the latest 1000 conversations and the latest 256 values of each', () => {
  const conversations = new Conversations();
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`name-${n}`, n]));
  conversations.remember('first', many);
  conversations.remember('second', { name: 'second' });
  expect(Object.keys(conversations.recall('first'))).toEqual(Object.keys(many).slice(-256));
  for (let n = 0; n < 998; n += 1) conversations.remember(`thread-${n}`, { name: n });
  conversations.remember('first', { name: 'again' });
  conversations.remember('newest', { name: 'newest' });
  expect(conversations.recall('first')).toEqual({ name: 'again' });
  expect(conversations.recall('second')).toEqual({});
  expect(conversations.recall('newest')).toEqual({ name: 'newest' });
  conversations.remember(undefined, { name: 'of no conversation' });
  expect(conversations.recall(undefined)).toEqual({});
});
