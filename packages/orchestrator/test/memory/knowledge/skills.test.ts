import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { skillText } from '../../../src/memory/knowledge/skills.js';
import { caller, MemoryBench } from '../../support/memory-bench.js';

const page = { limit: 9, offset: 0 };

it('renders a skill as its name, description, steps and conditions', () => {
  const steps: JsonValue = ['look', { tool: 'find' }, { tool: 'refund', amount: 3 }, { amount: 3 }];
  const conditions = { preconditions: { paid: true }, postconditions: {} };
  expect(skillText({ name: 'Refund', description: 'Gives money back', steps, ...conditions })).toBe(
    [
      'Refund',
      'Gives money back',
      '1. look',
      '2. find',
      '3. {"tool":"refund","amount":3}',
      '4. {"amount":3}',
      'Before: {"paid":true}',
    ].join('\n'),
  );
});

it('stores a skill from a request as user-defined and active, whatever it claims', async () => {
  const bench = new MemoryBench();
  const claimed = { origin: 'ai_generated' as const, status: 'quarantined' as const };
  const defined_skills = [
    { title: 'Zebra', ...claimed },
    { name: 'Horse', id: 'horse' },
    { description: 'No name' },
  ];
  const { items } = await bench.recall('x', {}, { memory_assets_config: { defined_skills } });
  expect(items.map(({ title }) => title)).toEqual(['Horse', 'Zebra']);
  expect(items[0]).toMatchObject({ kind: 'skill', id: 'horse' });
  const { skills } = await bench.memory.open();
  const author = { origin: 'user_defined', status: 'active', sharing_scope: 'agent', agent_id: 'a' };
  expect(skills.list(caller(), page)).toMatchObject([
    { name: 'Horse', id: 'horse', ...author },
    { name: 'Zebra', ...author },
  ]);
});

it('changes nothing when a run sends a skill again with the same content, even if it was quarantined', async () => {
  const bench = new MemoryBench();
  const send = () => bench.recall('x', {}, { memory_assets_config: { defined_skills: [{ name: 'Zebra' }] } });
  await send();
  const { skills } = await bench.memory.open();
  const { id = '' } = skills.list(caller(), page)[0] ?? {};
  const quarantined = await skills.update(caller(), id, { status: 'quarantined' });
  bench.clock.advance(1000);
  expect((await send()).items).toEqual([]);
  expect(skills.list(caller(), page)).toEqual([quarantined]);
});

it('keeps the metadata of a skill that is created, changed or sent with a run', async () => {
  const bench = new MemoryBench();
  const { skills } = await bench.memory.open();
  const { id, metadata } = await skills.create(caller(), { name: 'Refund', metadata: { team: 'billing' } });
  expect(metadata).toEqual({ team: 'billing' });
  expect(await skills.update(caller(), id, { description: 'Gives money back' })).toMatchObject({ metadata });
  const moved = { metadata: { team: 'support' } };
  expect(await skills.update(caller(), id, moved)).toMatchObject({ version: 2, ...moved });
  const defined_skills = [{ name: 'Zebra', metadata: { team: 'zoo' } }];
  await bench.recall('x', {}, { memory_assets_config: { defined_skills } });
  expect(skills.list(caller(), { ...page, search: 'Zebra' })).toMatchObject(defined_skills);
});
