import { beforeEach, describe, expect, it } from 'vitest';
import type { Orchestrator } from '../../src/orchestrator.js';
import { base64 } from '../support/memory-bench.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { WireClient } from '../support/wire-client.js';

/** Where a run belongs. */
interface Place {
  readonly project: string;
  readonly organization?: string;
  readonly agent: string;
  readonly swarm: string;
  readonly thread: string;
}

const writer: Place = { project: 'p', organization: 'o', agent: 'a', swarm: 'w', thread: 't' };
const readers = {
  'the same run again': {},
  'another thread': { thread: 'u' },
  'another agent': { agent: 'b' },
  'another swarm': { swarm: 'x' },
  'another agent and swarm': { agent: 'b', swarm: 'x' },
  'another project': { project: 'q' },
  'another organization': { project: 'q', organization: 'n' },
} satisfies Record<string, Partial<Place>>;
type Reader = keyof typeof readers;

const inProject: Reader[] = [
  'the same run again',
  'another thread',
  'another agent',
  'another swarm',
  'another agent and swarm',
];
const reached = {
  thread: ['the same run again', 'another agent', 'another swarm', 'another agent and swarm'],
  agent: ['the same run again', 'another thread', 'another swarm'],
  swarm: ['the same run again', 'another thread', 'another agent'],
  project: inProject,
  org: [...inProject, 'another project'],
} satisfies Record<string, Reader[]>;

let orchestrator: Orchestrator;
let clients: Map<string, WireClient>;
beforeEach(async () => {
  ({ orchestrator } = await openOrchestrator({ threadTurns: 2 }));
  clients = new Map();
});

async function clientOf({ project, organization }: Place): Promise<WireClient> {
  const known = clients.get(project + organization);
  if (known) return known;
  const { key } = await orchestrator.keys.create({ project, ...(organization ? { organization } : {}) });
  const client = new WireClient(orchestrator.url, key);
  clients.set(project + organization, client);
  return client;
}

/** Runs a request with the offline planner, and fails its calls. */
async function run(place: Place, text: string, more: { tools?: object[]; rest?: object } = {}) {
  const client = await clientOf(place);
  const { agent, swarm, thread } = place;
  const state = request(text, more.tools, {
    memory_config: {},
    execution_config: { agent_id: agent },
    swarm_config: { swarm_id: swarm },
    ...more.rest,
  });
  const session = await client.start(state, { thread_id: thread });
  let response = '';
  for await (const { name, payload } of client.events(session.events_url)) {
    if (name === 'final') response = payload['response'];
    if (name !== 'tool_event') continue;
    const error = { code: 'DECLINED', message: 'The zebra declined.' };
    const value = { tool_event_id: payload['id'], status: 'error', error };
    await client.request('POST', session.resume_url, { value });
  }
  return response;
}

/** Returns the readers whose question is answered with a text. */
async function answeredReaders(question: string, text: string): Promise<string[]> {
  const answered: string[] = [];
  for (const [name, reader] of Object.entries(readers)) {
    const response = await run({ ...writer, ...reader }, question);
    if (response.includes(text)) answered.push(name);
    else expect(response).not.toMatch(/memory/i);
  }
  return answered;
}

describe('the offline planner', () => {
  const scopes = ['agent', 'swarm', 'project', 'org'] as const;

  it.each(scopes)(
    'answers from a resource of scope %s within that scope and nowhere else',
    async (sharing_scope) => {
      const resource = {
        title: 'Handbook',
        sharing_scope,
        mime_type: 'text/plain',
        content_base64: base64('Lions roar.\nA zebra eats grass.'),
      };
      const rest = { memory_assets_config: { bound_resources: [resource] } };
      await run(writer, 'hello', { rest });
      const answered = await answeredReaders(
        'What does a zebra eat?',
        'From memory (resource “Handbook”): A zebra eats grass.',
      );
      expect(answered).toEqual(reached[sharing_scope]);
    },
  );

  it.each(scopes)(
    'answers from a skill of scope %s within that scope and nowhere else',
    async (sharing_scope) => {
      const skill = { name: 'Feed a zebra', content: 'Bring hay at noon', sharing_scope };
      await run(writer, 'hello', { rest: { memory_assets_config: { defined_skills: [skill] } } });
      const answered = await answeredReaders(
        'How do I feed a zebra?',
        'From memory (skill “Feed a zebra”): Bring hay at noon',
      );
      expect(answered).toEqual(reached[sharing_scope]);
    },
  );

  it.each(['agent', 'swarm'] as const)(
    'answers from an insight of scope %s, a failure, within that scope and nowhere else',
    async (sharing_scope) => {
      const memory_config = { insight_extraction: { sharing_scope } };
      await run(writer, 'call feed_zebra', { tools: [toolSpec('feed_zebra')], rest: { memory_config } });
      const answered = await answeredReaders(
        'Why has the zebra declined?',
        'feed\\_zebra failed with DECLINED',
      );
      expect(answered).toEqual(reached[sharing_scope]);
    },
  );

  it('answers from what the user said, in that thread only', async () => {
    await run(writer, 'my zebra is called Ziggy');
    const question = 'What is my zebra called?';
    const answer = 'Earlier in this conversation: my zebra is called Ziggy';
    expect(await answeredReaders(question, answer)).toEqual(reached.thread);
    // After these turns, the first one is no longer in the history of the thread.
    for (const text of ['one', 'two', 'three', 'four']) await run(writer, text);
    expect(await answeredReaders(question, answer)).toEqual(reached.thread);
  });
});

it('the offline planner follows the steps of a skill that another run stored', async () => {
  const skill = {
    name: 'Close the month',
    steps: [{ tool: 'export_ledger' }, { tool: 'lock_period' }],
    sharing_scope: 'project',
  };
  await run(writer, 'hello', { rest: { memory_assets_config: { defined_skills: [skill] } } });
  const client = await clientOf(writer);
  const called: string[] = [];
  const note = (name: string) => () => {
    called.push(name);
    return { ok: true };
  };
  const tools = { lock_period: note('lock_period'), export_ledger: note('export_ledger') };
  const state = request(
    'Close the month',
    Object.keys(tools).map((name) => toolSpec(name)),
    { memory_config: {} },
  );
  const { final } = await client.run(state, tools);
  expect(called).toEqual(['export_ledger', 'lock_period']);
  expect(final['response']).toContain('From memory (skill “Close the month”): export ledger, lock period.');
});
