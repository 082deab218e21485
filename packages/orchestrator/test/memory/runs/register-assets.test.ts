import { expect, it } from 'vitest';
import { base64, caller, MemoryBench } from '../../support/memory-bench.js';

it.each([
  [{}, { binding_type: 'message', source_type: 'attachment' }],
  [
    { binding_type: 'agent', source_type: 'mail' },
    { binding_type: 'agent', source_type: 'mail' },
  ],
])('stores an attachment with %j as %j', async (given, stored) => {
  const bench = new MemoryBench();
  const attachments = [{ name: 'Book', mime_type: 'text/plain', content_base64: base64('zebra'), ...given }];
  const messages = [{ type: 'human' as const, content: 'x', additional_kwargs: { attachments } }];
  await bench.recall('x', {}, { messages });
  const { resources } = await bench.memory.open();
  expect(resources.list(caller(), { limit: 9, offset: 0 })).toMatchObject([
    { ...stored, sharing_scope: 'agent', bound_agent_id: 'a' },
  ]);
});

it.each([
  [{}, { binding_type: 'agent', source_type: 'agent_binding', bound_agent_id: 'a' }],
  [{ sharing_scope: 'project' }, { sharing_scope: 'project', binding_type: 'agent', bound_agent_id: 'a' }],
  [{ binding_type: 'swarm' }, { binding_type: 'swarm', source_type: 'swarm_binding', bound_swarm_id: 'w' }],
  [
    { source_type: 'mail', source_url: 'https://x.test' },
    { source_type: 'mail', source_url: 'https://x.test' },
  ],
  [
    { url: 'https://y.test', content_base64: undefined },
    { source_url: 'https://y.test', size_bytes: 0 },
  ],
])('stores a bound resource with %j as %j', async (given, stored) => {
  const bench = new MemoryBench();
  const file = { title: 'Book', mime_type: 'text/plain', content_base64: base64('zebra'), ...given };
  await bench.recall('x', { swarm: 'w' }, { memory_assets_config: { bound_resources: [file] } });
  const { resources } = await bench.memory.open();
  const [book, ...more] = resources.list(caller(), { limit: 9, offset: 0 });
  expect(book).toMatchObject({ name: 'Book', ...stored });
  expect(more).toEqual([]);
  if (book?.['size_bytes'] === 0) return;
  // Replacing the bytes changes none of that.
  const next = await resources.replace(caller(), String(book?.['id']), { text_content: 'two' });
  expect(next).toMatchObject(stored);
});

it('reports how many resources were stored and how many were extracted', async () => {
  const bench = new MemoryBench();
  const files = [
    { title: 'Text', mime_type: 'text/plain', content_base64: base64('zebra') },
    { title: 'Picture', mime_type: 'image/png', content_base64: base64('zebras') },
  ];
  const { phases } = await bench.recall('x', {}, { memory_assets_config: { bound_resources: files } });
  const source = 'bound_resources';
  expect(phases.slice(0, 3).map(({ phase, memory }) => [phase, memory])).toEqual([
    ['resource_registering', { mode: 'resource_registration', source }],
    [
      'resource_registered',
      expect.objectContaining({ source, status: 'found', registered_count: 2, total_bytes: 11 }),
    ],
    [
      'resource_extracted',
      { mode: 'resource_extract', source, extracted_count: 1, skipped_count: 1, chunk_count: 1 },
    ],
  ]);
});

it.each(['r\0s', 'r\udfff', '.', '..', 'x'.repeat(129)])(
  'does not store a resource or a skill under the invalid id %j',
  async (id) => {
    const bench = new MemoryBench();
    const bound_resources = [{ resource_id: id, title: 'Book', content_base64: base64('zebra') }];
    const defined_skills = [{ skill_id: id, name: 'Read' }];
    await bench.recall('x', {}, { memory_assets_config: { bound_resources, defined_skills } });
    const { resources, skills } = await bench.memory.open();
    expect(resources.list(caller(), { limit: 9, offset: 0 })).toEqual([]);
    expect(skills.list(caller(), { limit: 9, offset: 0 })).toEqual([]);
  },
);

it.each([{}, { persistence_mode: 'persist_none' as const }])(
  'counts the skills of a request that memory does not accept, with %j',
  async (memory_config) => {
    const named = (name: string, more = {}) => ({ name, content: 'zebra', ...more });
    const skills = [
      named('Zebra'),
      named('x'.repeat(257)),
      named('y', { steps: Array.from({ length: 201 }, () => ({})) }),
    ];
    const counted = async (defined_skills: { name: string }[]) => {
      const request = { memory_assets_config: { defined_skills }, memory_config };
      const { phases } = await new MemoryBench().recall('zebra', {}, request);
      return phases.find(({ phase }) => phase === 'memory_retrieved')?.memory;
    };
    expect(await counted(skills)).toMatchObject({ skill_count: 1, skipped_count: 2 });
    expect(await counted(skills.slice(0, 1))).not.toHaveProperty('skipped_count');
  },
);
