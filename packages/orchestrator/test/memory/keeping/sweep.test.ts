import { describe, expect, it } from 'vitest';
import { caller, MemoryBench } from '../../support/memory-bench.js';

const dayMs = 86_400_000;

async function openWith(records: number) {
  const bench = new MemoryBench();
  const memory = await bench.memory.open();
  const contents = Array.from({ length: records }, (_, number) => `zebra ${number}`);
  await Promise.all(contents.map((content) => memory.insights.create(caller(), { content, ttl_days: 1 })));
  return { bench, ...memory, left: () => memory.database.assets.usage('p').records };
}

const confirmToken = 'PURGE_MEMORY';

describe('a long removal', () => {
  it('lets other writes in between when it is a purge of many records', async () => {
    const { policies, database, left } = await openWith(450);
    const purged = policies.purge(caller(), { confirmToken });
    await database.write(() => undefined);
    expect(left()).toBe(250);
    await purged;
    expect(left()).toBe(0);
  });

  it('lets other writes in between when many records have expired', async () => {
    const { bench, policies, database, left } = await openWith(250);
    bench.clock.advance(dayMs);
    const swept = policies.sweep();
    await database.write(() => undefined);
    expect(left()).toBe(50);
    await swept;
    expect(left()).toBe(0);
  });

  it('lets other writes in between when few records have long texts, whose passages count', async () => {
    const { policies, resources, database, left } = await openWith(0);
    for (const name of ['one', 'two', 'three'])
      await resources.create(caller(), { name, text_content: `${name} zebra `.repeat(60_000) });
    const purged = policies.purge(caller(), { confirmToken });
    await database.write(() => undefined);
    expect(left()).toBe(2);
    await purged;
    expect(database.assets.usage('p')).toEqual({ records: 0, bytes: 0 });
  });
});

describe('bytes that no record refers to', () => {
  const mebibyte = 1024 ** 2;

  it.each([
    ['many', Array.from({ length: 250 }, () => 1)],
    ['large', [20 * mebibyte, 20 * mebibyte]],
  ])('are removed in several steps when they are %s, until none are left', async (_, sizes) => {
    const { policies, database } = await openWith(0);
    await database.write(() => {
      for (const [number, size] of sizes.entries())
        database.blobs.put('p', `${number}`, new Uint8Array(size));
    });
    const bytes = () => database.assets.usage('p').bytes;
    const before = bytes();
    expect(await database.write(database.blobs.sweep())).toBeGreaterThan(0);
    expect(bytes()).toBeLessThan(before);
    expect(bytes()).toBeGreaterThan(0);
    await policies.sweep();
    expect(bytes()).toBe(0);
  });

  it('are searched for once per sweep, however many steps it takes', async () => {
    const { policies, resources, database } = await openWith(0);
    await resources.create(caller(), { name: 'one', text_content: 'zebra' });
    const inUse = database.assets.usage('p').bytes;
    await database.write(() => {
      for (let number = 0; number < 250; number += 1) database.blobs.put('p', `${number}`, Uint8Array.of(1));
    });
    const step = database.blobs.sweep();
    expect(await database.write(step)).toBe(100);
    await database.write(() => database.cleaner.purge({ projectId: 'p' }));
    expect([await database.write(step), await database.write(step), await database.write(step)]).toEqual([
      100, 50, 0,
    ]);
    expect(database.assets.usage('p').bytes).toBe(inUse);
    await policies.sweep();
    expect(database.assets.usage('p').bytes).toBe(0);
  });

  it('are removed by a purge', async () => {
    const { policies, database } = await openWith(0);
    await database.write(() => {
      for (let number = 0; number < 250; number += 1) database.blobs.put('p', `${number}`, Uint8Array.of(1));
    });
    await policies.purge(caller(), { confirmToken });
    expect(database.assets.usage('p').bytes).toBe(0);
  });
});

it('resolves a sweep during which the memory is closed', async () => {
  const { bench, database } = await openWith(1000);
  bench.clock.advance(dayMs);
  const swept = bench.memory.sweep();
  await bench.memory.open();
  await database.write(() => undefined);
  await bench.memory.close();
  await expect(swept).resolves.toBeUndefined();
});
