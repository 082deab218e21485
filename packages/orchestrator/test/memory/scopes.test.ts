import { describe, expect, it } from 'vitest';
import { base64, MemoryBench, type BenchRun } from '../support/memory-bench.js';

const writer: BenchRun = { project: 'p', organization: 'o', agent: 'a', swarm: 'w', thread: 't' };

/** Readers, each with the fields in which it differs from the writer. */
const readers = {
  'the same run again': {},
  'another thread': { thread: 'u' },
  'another agent of the swarm': { agent: 'b' },
  'the agent in another swarm': { swarm: 'x' },
  'another agent and swarm of the project': { agent: 'b', swarm: 'x' },
  'another project of the organization': { project: 'q' },
  'the project under another organization': { organization: 'n' },
  'the same names in another project and organization': { project: 'q', organization: 'n' },
  'a project without organization that is named like the organization': {
    project: 'o',
    organization: undefined,
  },
} satisfies Record<string, object>;

type Reader = keyof typeof readers;

const inProject: Reader[] = [
  'the same run again',
  'another thread',
  'another agent of the swarm',
  'the agent in another swarm',
  'another agent and swarm of the project',
  'the project under another organization',
];
const seenBy: Record<'thread' | 'agent' | 'swarm' | 'project' | 'org', Reader[]> = {
  thread: inProject.filter((name) => name !== 'another thread'),
  agent: inProject.filter((name) => !name.startsWith('another agent')),
  swarm: inProject.filter(
    (name) => !['the agent in another swarm', 'another agent and swarm of the project'].includes(name),
  ),
  project: inProject,
  org: [
    ...inProject.filter((name) => name !== 'the project under another organization'),
    'another project of the organization',
  ],
};

const skill = (sharing_scope: string) => ({
  memory_assets_config: {
    defined_skills: [{ name: 'Refund an order', content: 'Refunds zebra orders', sharing_scope }],
  },
});
const resource = (sharing_scope: string) => ({
  memory_assets_config: {
    bound_resources: [
      {
        title: 'Handbook',
        sharing_scope,
        mime_type: 'text/plain',
        content_base64: base64('All about zebra stripes.'),
      },
    ],
  },
});

async function whoSees(store: (bench: MemoryBench) => Promise<unknown>): Promise<string[]> {
  const bench = new MemoryBench();
  await store(bench);
  const seen: string[] = [];
  for (const [name, reader] of Object.entries(readers)) {
    const { items } = await bench.recall('what about the zebra?', { ...writer, ...reader });
    if (items.length > 0) seen.push(name);
  }
  return seen.toSorted();
}

describe('recall in another run', () => {
  it.each(['agent', 'swarm', 'project', 'org'] as const)(
    'finds a skill of scope %s within that scope and nowhere else',
    async (scope) => {
      const seen = await whoSees((bench) => bench.recall('hello', writer, skill(scope)));
      expect(seen).toEqual(seenBy[scope].toSorted());
    },
  );

  it.each(['agent', 'swarm', 'project', 'org'] as const)(
    'finds a resource of scope %s within that scope and nowhere else',
    async (scope) => {
      const seen = await whoSees((bench) => bench.recall('hello', writer, resource(scope)));
      expect(seen).toEqual(seenBy[scope].toSorted());
    },
  );

  it.each(['agent', 'swarm'] as const)(
    'finds an insight of scope %s within that scope and nowhere else',
    async (sharing_scope) => {
      const request = { memory_config: { insight_extraction: { sharing_scope } } };
      const calls = [{ toolName: 'zebra', error: { code: 'LOST', message: 'the zebra ran away' } }];
      const seen = await whoSees((bench) => bench.remember('x', writer, { calls, request }));
      expect(seen).toEqual(seenBy[sharing_scope].toSorted());
    },
  );

  it('finds the summary of a turn in its thread only', async () => {
    const seen = await whoSees((bench) => bench.remember('the zebra', writer, { answer: 'It has stripes.' }));
    expect(seen).toEqual(seenBy.thread.toSorted());
  });

  it('finds an attachment for its agent only, by default', async () => {
    const attachments = [
      { name: 'zebra.txt', mime_type: 'text/plain', content_base64: base64('zebra facts') },
    ];
    const messages = [{ type: 'human' as const, content: 'look', additional_kwargs: { attachments } }];
    const seen = await whoSees((bench) => bench.recall('look', writer, { messages }));
    expect(seen).toEqual(seenBy.agent.toSorted());
  });
});

it('skips a swarm resource of a run outside a swarm, instead of widening its scope', async () => {
  const bench = new MemoryBench();
  const { phases } = await bench.recall('hello', { agent: 'a' }, resource('swarm'));
  expect(phases.find(({ phase }) => phase === 'resource_registered')?.memory).toMatchObject({
    registered_count: 0,
    skipped_count: 1,
    status: 'partial',
  });
  expect((await bench.recall('zebra', { agent: 'a', swarm: 'w' })).items).toEqual([]);
});

it('treats the root run of a swarm as the swarm, not as its first member', async () => {
  const bench = new MemoryBench();
  const root = { swarm_config: { invocation_intent: true, swarm_id: 'w' } };
  await bench.recall('hello', writer, { ...skill('swarm'), ...root });
  expect((await bench.recall('zebra', { agent: 'b', swarm: 'w' })).items).toHaveLength(1);
  expect((await bench.recall('zebra', writer, { ...skill('agent'), ...root })).texts).toHaveLength(1);
  expect((await bench.recall('zebra', { agent: 'a' })).items).toEqual([]);
});
