import { expect, it } from 'vitest';
import { searchVectors } from '../../src/memory/search-vectors.js';
import { caller, MemoryBench } from '../support/memory-bench.js';

/** Texts are angles, in degrees. */
const embedder = {
  name: 'angles',
  embed: async (texts: readonly string[]) =>
    texts.map((text) => [Math.cos((Number(text) * Math.PI) / 180), Math.sin((Number(text) * Math.PI) / 180)]),
};

async function found(texts: readonly string[], limit: number, signal = new AbortController().signal) {
  const bench = new MemoryBench({ embedder });
  const { insights, database, indexer } = await bench.memory.open();
  await Promise.all(texts.map((content) => insights.create(caller(), { content })));
  await indexer?.whenIdle();
  const search = { viewer: caller(), kinds: ['insight' as const], nowMs: bench.clock.nowMs() };
  const hits = await searchVectors(database, {
    ...search,
    retainedSinceMs: 0,
    limit,
    query: '0',
    embedder,
    signal,
  });
  return hits.map(({ text }) => text);
}

it('finds what is near in meaning, the nearest first, and nothing that is far', async () => {
  expect(await found(['60', '10', '80', '30', '-20'], 9)).toEqual(['10', '-20', '30', '60']);
});

it('finds no more than is asked for', async () => {
  expect(await found(['60', '10', '30'], 2)).toEqual(['10', '30']);
});

it('looks at all pages of what there is, and stops between them', async () => {
  const texts = ['1', ...Array.from({ length: 600 }, (_, index) => String(60 + index / 100))];
  expect((await found(texts, 2))[0]).toBe('1');
  await expect(found(texts, 2, AbortSignal.abort())).rejects.toThrow('aborted');
});
