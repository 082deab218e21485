import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { searchVectors } from '../../../src/memory/vectors/search-vectors.js';
import { caller, MemoryBench } from '../../support/memory-bench.js';
import { newFolder } from '../../support/new-folder.js';

/** Texts are angles, in degrees. */
const embedder = {
  name: 'angles',
  embed: async (texts: readonly string[]) =>
    texts.map((text) => [Math.cos((Number(text) * Math.PI) / 180), Math.sin((Number(text) * Math.PI) / 180)]),
};

async function found(texts: readonly string[], limit: number, signal = new AbortController().signal) {
  const bench = new MemoryBench({ embedder });
  const { insights, indexer } = await bench.memory.open();
  await Promise.all(texts.map((content) => insights.create(caller(), { content })));
  await indexer?.whenIdle();
  return search(bench, limit, signal);
}

async function search(bench: MemoryBench, limit: number, signal = new AbortController().signal) {
  const { database } = await bench.memory.open();
  const hits = await searchVectors(database, {
    viewer: caller('p', 'o'),
    kinds: ['insight' as const],
    nowMs: bench.clock.nowMs(),
    retainedSinceMs: 0,
    limit,
    query: '0',
    embedder,
    signal,
  });
  return hits.map(({ text }) => text);
}

it('finds similar texts, the most similar first, and no distant ones', async () => {
  expect(await found(['60', '10', '80', '30', '-20'], 9)).toEqual(['10', '-20', '30', '60']);
});

it('finds at most `limit` texts', async () => {
  expect(await found(['60', '10', '30'], 2)).toEqual(['10', '30']);
});

it('searches all pages, and stops between them when aborted', async () => {
  const texts = ['1', ...Array.from({ length: 600 }, (_, index) => String(60 + index / 100))];
  expect((await found(texts, 2))[0]).toBe('1');
  await expect(found(texts, 2, AbortSignal.abort())).rejects.toThrow('aborted');
});

it('searches all pages of a project’s own records and those shared with it, and no others', async () => {
  const bench = new MemoryBench({ embedder });
  const { insights, indexer } = await bench.memory.open();
  const shared = { sharing_scope: 'org' } as const;
  await insights.create(caller('q', 'o'), { content: '2', ...shared });
  await insights.create(caller('q', 'o'), { content: '0' });
  await insights.create(caller('q', 'n'), { content: '1', ...shared });
  await insights.create(caller('p', 'o'), { content: '3', ...shared });
  await insights.create(caller('p', 'o'), { content: '4' });
  const far = Array.from({ length: 600 }, (_, index) => String(60 + index / 100));
  await Promise.all(
    far.map((content, index) =>
      insights.create(caller(index % 2 === 0 ? 'p' : 'q', 'o'), { content, ...shared }),
    ),
  );
  await indexer?.whenIdle();
  expect(await search(bench, 4)).toEqual(['2', '3', '4', '60']);
});

it('finds records in a file of version 4', async () => {
  const path = join(await newFolder(), 'memory.db');
  const before = new MemoryBench({ embedder, path });
  const { insights, indexer } = await before.memory.open();
  await insights.create(caller('p', 'o'), { content: '1' });
  await indexer?.whenIdle();
  await before.memory.close();
  const database = new DatabaseSync(path);
  database.exec(`DROP INDEX memory_assets_shared; DROP INDEX memory_passages_of_project;
    ALTER TABLE memory_passages DROP COLUMN project_id; UPDATE memory_version SET version = 4`);
  database.close();
  expect(await search(new MemoryBench({ embedder, path, clock: before.clock }), 1)).toEqual(['1']);
});
