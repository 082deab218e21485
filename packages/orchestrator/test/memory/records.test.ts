import { expect, it } from 'vitest';
import { MemoryBench } from '../support/memory-bench.js';

const caller = { projectId: 'p', organization: 'o' };

it.each(['skills', 'insights'] as const)('%s that are stored at once have no id in common', async (kind) => {
  const bench = new MemoryBench();
  const keeper = (await bench.memory.open())[kind];
  const create = (text: string) => keeper.create(caller, { id: 'one', name: text, content: text });
  const [first, second] = await Promise.allSettled([create('first'), create('second')]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { id: 'one' } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'MEMORY_CONFLICT' } });
  expect(keeper.list(caller, { limit: 9, offset: 0 })).toHaveLength(1);
});
