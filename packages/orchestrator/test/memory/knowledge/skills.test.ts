import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { skillText } from '../../../src/memory/knowledge/skills.js';
import { caller, MemoryBench } from '../../support/memory-bench.js';

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
  expect(skills.list(caller(), { limit: 9, offset: 0 })).toMatchObject([
    { name: 'Horse', id: 'horse', ...author },
    { name: 'Zebra', ...author },
  ]);
});
