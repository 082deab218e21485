import { expect, it } from 'vitest';
import { caller, MemoryBench } from '../../support/memory-bench.js';

it('finds the newest related records of a project, each once', async () => {
  const bench = new MemoryBench();
  const { insights, database } = await bench.memory.open();
  const nowMs = () => bench.clock.nowMs();
  const create = async (project: string, content: string, entities: string[]) => {
    const { id } = await insights.create(caller(project), { content });
    const number = database.assets.read(project, 'insight', id, nowMs())?.number ?? 0;
    await database.write(() => database.edges.add(number, entities, nowMs()));
    bench.clock.advance(1);
    return number;
  };
  const first = await create('p', 'first', ['tool:a']);
  const second = await create('p', 'second', ['tool:a', 'tool:b']);
  await create('q', 'of another project', ['tool:a']);
  await create('p', 'about another tool', ['tool:c']);
  const third = await create('p', 'third', ['tool:b']);
  const related = (limit: number) => {
    const search = { viewer: caller('p'), kinds: ['insight' as const], nowMs: nowMs(), retainedSinceMs: 0 };
    return database.edges
      .related(['tool:a', 'tool:b'], { ...search, edgesSinceMs: 0, limit })
      .map(({ number }) => number);
  };
  expect(related(3)).toEqual([third, second, first]);
  expect(related(2)).toEqual([third, second]);
});
