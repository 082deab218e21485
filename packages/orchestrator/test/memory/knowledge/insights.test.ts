import { expect, it } from 'vitest';
import { relevanceAt } from '../../../src/memory/knowledge/insight-relevance.js';
import { caller, MemoryBench } from '../../support/memory-bench.js';

const dayMs = 86_400_000;

it.each([
  ['none', 10, 100, 0.8],
  ['exponential', 10, 10, 0.4],
  ['exponential', 10, 20, 0.2],
  ['linear', 10, 10, 0.4],
  ['linear', 10, 20, 0],
  ['linear', 10, 30, 0],
  // Without a half-life, nothing decays.
  ['exponential', 0, 0, 0.8],
  ['linear', 0, 100, 0.8],
  ['another', 10, 100, 0.8],
])(
  'weighs an insight with decay %s and a half-life of %i days after %i days at %d',
  (model, half, age, left) => {
    const insight = { relevance_score: 0.8, decay_model: model, half_life_days: half };
    expect(relevanceAt(insight, age * dayMs)).toBeCloseTo(left);
  },
);

it.each([
  ['agent', 'project', true],
  ['agent', 'org', true],
  ['project', 'org', true],
  ['project', 'project', false],
  ['org', 'org', false],
  ['org', 'project', false],
] as const)(
  'promotes an insight of scope %s to %s only if that is wider: %s',
  async (sharing_scope, target, isWider) => {
    const { insights } = await new MemoryBench().memory.open();
    const { id } = await insights.create(caller(), { content: 'one', sharing_scope, agent_id: 'a' });
    const promoted = await insights.promote(caller(), id, target).catch((error: unknown) => error);
    expect(promoted).toMatchObject(
      isWider
        ? { sharing_scope: target, promoted_from_id: id }
        : { code: 'INVALID_REQUEST', details: { sharing_scope, target_scope: target } },
    );
  },
);

it('expires an insight ttl_days after its last change, unless ttl_days was removed', async () => {
  const bench = new MemoryBench();
  const { insights } = await bench.memory.open();
  const ids = () => insights.list(caller(), { limit: 9, offset: 0 }).map(({ id }) => id);
  await insights.create(caller(), { id: 'one', content: 'one', ttl_days: 2 });
  bench.clock.advance(dayMs);
  const { expires_at } = await insights.update(caller(), 'one', { content: 'two' });
  expect(expires_at).toBe(new Date(bench.clock.nowMs() + 2 * dayMs).toISOString());
  bench.clock.advance(2 * dayMs - 1);
  expect(ids()).toEqual(['one']);
  bench.clock.advance(1);
  expect(ids()).toEqual([]);
  await insights.create(caller(), { id: 'two', content: 'more', ttl_days: 2 });
  expect(await insights.update(caller(), 'two', { ttl_days: null })).not.toHaveProperty('expires_at');
  bench.clock.advance(3 * dayMs);
  expect(ids()).toEqual(['two']);
});
