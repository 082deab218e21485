import { APICallError, RetryError } from 'ai';
import { describe, expect, it } from 'vitest';
import { type Embedder } from '../../../src/memory/vectors/embedder.js';
import { base64, caller, MemoryBench } from '../../support/memory-bench.js';
import { newFolder } from '../../support/new-folder.js';
import { join } from 'node:path';
import { vectorOf } from './word-vectors.js';

function wordEmbedder(name = 'twin', texts: string[] = []): Embedder & { texts: string[] } {
  return {
    name,
    texts,
    async embed(given, signal) {
      signal.throwIfAborted();
      texts.push(...given);
      return given.map(vectorOf);
    },
  };
}

/** The error of a service whose retries are used up. */
function serviceError(statusCode?: number): RetryError {
  const error = new APICallError({
    message: `answered ${statusCode}`,
    url: 'http://localhost',
    requestBodyValues: {},
    statusCode,
    ...(statusCode === undefined ? { isRetryable: true } : {}),
  });
  return new RetryError({ message: 'no luck', reason: 'maxRetriesExceeded', errors: [error] });
}

async function indexed(bench: MemoryBench): Promise<MemoryBench> {
  await (await bench.memory.open()).indexer?.whenIdle();
  return bench;
}

describe('a memory with an embedding model', () => {
  it('finds records with the same meaning and no word in common, and nothing else', async () => {
    const bench = new MemoryBench({ embedder: wordEmbedder() });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'The zebra eats grass' });
    await insights.create(caller(), { content: 'It will rain' });
    await indexed(bench);
    const { texts, phases } = await bench.recall('a striped animal');
    expect(texts).toEqual(['The zebra eats grass']);
    expect(phases.at(-1)?.memory).toMatchObject({ keyword_hits: 0, vector_hits: 1, status: 'found' });
  });

  it('finds no record outside its scope', async () => {
    const bench = new MemoryBench({ embedder: wordEmbedder() });
    const { insights } = await bench.memory.open();
    await insights.create(caller('q'), { content: 'a zebra of q' });
    await insights.create(caller(), { content: 'a zebra of b', sharing_scope: 'agent', agent_id: 'b' });
    await insights.create(caller('q', 'o'), { content: 'a zebra of o', sharing_scope: 'org' });
    await indexed(bench);
    expect((await bench.recall('striped', { agent: 'a', organization: 'n' })).texts).toEqual([]);
    expect((await bench.recall('striped', { agent: 'b' })).texts).toEqual(['a zebra of b']);
    expect((await bench.recall('striped', { organization: 'o' })).texts).toEqual(['a zebra of o']);
  });

  it('finds a record even when another project has many closer ones', async () => {
    const bench = new MemoryBench({ embedder: wordEmbedder() });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'A zebra in the rain' });
    await Promise.all(
      Array.from({ length: 30 }, (_, number) => insights.create(caller('q'), { content: `zebra ${number}` })),
    );
    await indexed(bench);
    const memory_config = { retrieval: { top_k: 1, candidate_limit: 1 } };
    expect((await bench.recall('striped', {}, { memory_config })).texts).toEqual(['A zebra in the rain']);
  });

  it('searches more records than fit on one page', async () => {
    const bench = new MemoryBench({ embedder: wordEmbedder(), recordsPerProject: 2_000 });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'The zebra eats grass' });
    await Promise.all(
      Array.from({ length: 1_100 }, (_, number) => insights.create(caller(), { content: `rain ${number}` })),
    );
    await indexed(bench);
    expect((await bench.recall('striped')).texts).toEqual(['The zebra eats grass']);
  });

  it('finds records without a vector by their words, even when the model fails', async () => {
    const broken: Embedder = { name: 'broken', embed: () => Promise.reject(new Error('no quota')) };
    const bench = new MemoryBench({ embedder: broken });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'The zebra eats grass' });
    await indexed(bench);
    const { texts, phases } = await bench.recall('zebra');
    expect(texts).toEqual(['The zebra eats grass']);
    expect(phases.at(-1)?.memory).toMatchObject({ status: 'partial', vector_hits: 0 });
    expect(bench.errors).toHaveLength(2);
  });

  it('stops waiting for a model that does not answer within 10 seconds', async () => {
    const asked = Promise.withResolvers<void>();
    const silent: Embedder = {
      name: 'silent',
      embed(_, signal) {
        const given = new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
        asked.resolve();
        return given;
      },
    };
    const bench = new MemoryBench({ embedder: silent });
    const recalling = bench.recall('zebra');
    await asked.promise;
    bench.clock.advance(10_000);
    expect((await recalling).phases.at(-1)?.memory).toMatchObject({ status: 'partial' });
    expect(bench.errors).toMatchObject([{ message: expect.stringContaining('10 s') }]);
  });

  it('asks the model again for texts on which it timed out', async () => {
    const asked = Promise.withResolvers<void>();
    let isSilent = true;
    const embedder: Embedder = {
      name: 'sleepy',
      async embed(texts, signal) {
        asked.resolve();
        if (isSilent)
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          );
        return texts.map(vectorOf);
      },
    };
    const bench = new MemoryBench({ embedder });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'The zebra eats grass' });
    await asked.promise;
    bench.clock.advance(120_000);
    await indexed(bench);
    expect(bench.errors).toMatchObject([{ message: expect.stringContaining('120 s') }]);
    isSilent = false;
    await insights.create(caller(), { content: 'It will rain' });
    await indexed(bench);
    expect((await bench.recall('striped')).texts).toEqual(['The zebra eats grass']);
  });

  it('embeds a text once, and again only when it changes', async () => {
    const embedder = wordEmbedder();
    const bench = new MemoryBench({ embedder });
    const { skills } = await bench.memory.open();
    const { id } = await skills.create(caller(), { name: 'Zebra' });
    await skills.update(caller(), id, { confidence: 0.5 });
    await indexed(bench);
    await skills.update(caller(), id, { name: 'Zebras' });
    await indexed(bench);
    expect(embedder.texts).toEqual(['Zebra', 'Zebras']);
  });

  it.each(['skills', 'insights'] as const)(
    'embeds %s when they are stored and when they change',
    async (kind) => {
      const embedder = wordEmbedder();
      const bench = new MemoryBench({ embedder });
      const keeper = (await bench.memory.open())[kind];
      await keeper.create(caller(), { id: 'one', name: 'A', content: 'B' });
      await indexed(bench);
      const before = embedder.texts.length;
      await keeper.update(caller(), 'one', { name: 'A', content: 'C' });
      await indexed(bench);
      await keeper.update(caller(), 'one', { name: 'A', content: 'C' });
      await indexed(bench);
      expect([before, embedder.texts.length]).toEqual([1, 2]);
    },
  );

  it.each([
    ['an error of its own', new Error('no such word')],
    ['an error from its service', serviceError(500)],
  ])('embeds the other texts when the model refuses one with %s', async (_, failure) => {
    const refused: string[] = [];
    const embedder: Embedder = {
      name: 'strict',
      async embed(texts) {
        const bad = texts.find((text) => text.includes('unspeakable'));
        if (bad !== undefined) {
          refused.push(bad);
          throw failure;
        }
        return texts.map(vectorOf);
      },
    };
    const bench = new MemoryBench({ embedder });
    const { insights } = await bench.memory.open();
    const texts = ['It will rain', 'An unspeakable zebra', 'The zebra eats grass'];
    await Promise.all(texts.map((content) => insights.create(caller(), { content })));
    await indexed(bench);
    expect((await bench.recall('striped')).texts).toEqual(['The zebra eats grass']);
    expect((await bench.recall('unspeakable')).texts).toEqual(['An unspeakable zebra']);
    const times = refused.length;
    await insights.create(caller(), { content: 'A striped horse' });
    await indexed(bench);
    // The refused text is not tried again.
    expect(refused).toHaveLength(times);
    expect((await bench.recall('striped')).texts).toHaveLength(2);
  });

  it('embeds texts later when the model fails on every text', async () => {
    let fails = true;
    const embedder: Embedder = {
      name: 'flaky',
      embed: async (texts) => {
        if (fails) throw new Error('wrong key');
        return texts.map(vectorOf);
      },
    };
    const bench = new MemoryBench({ embedder });
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: 'The zebra eats grass' });
    await indexed(bench);
    fails = false;
    await insights.create(caller(), { content: 'It will rain' });
    await indexed(bench);
    expect((await bench.recall('striped')).texts).toEqual(['The zebra eats grass']);
  });

  it.each([429, 503, undefined])(
    'embeds texts later when the service of the model is unavailable (status %s)',
    async (status) => {
      let fails = true;
      const embedder: Embedder = {
        name: 'busy',
        embed: async (texts) => {
          // A short text may get through anyway.
          if (fails && !texts.includes('memory')) throw serviceError(status);
          return texts.map(vectorOf);
        },
      };
      const bench = new MemoryBench({ embedder });
      const { insights } = await bench.memory.open();
      await insights.create(caller(), { content: 'The zebra eats grass' });
      await indexed(bench);
      fails = false;
      await insights.create(caller(), { content: 'It will rain' });
      await indexed(bench);
      expect((await bench.recall('striped')).texts).toEqual(['The zebra eats grass']);
    },
  );

  it('embeds a text again when it changed while it was being embedded', async () => {
    const entered = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const embedder: Embedder = {
      name: 'slow',
      embed: async (texts) => {
        entered.resolve();
        await changed.promise;
        return texts.map(vectorOf);
      },
    };
    const bench = new MemoryBench({ embedder });
    const { resources } = await bench.memory.open();
    const { id } = await resources.create(caller(), {
      name: 'Zebra',
      mime_type: 'text/plain',
      content_base64: base64('plain words'),
    });
    await entered.promise;
    await resources.update(caller(), id, { name: 'Refund' });
    changed.resolve();
    await indexed(bench);
    expect((await bench.recall('striped')).texts).toEqual([]);
    expect((await bench.recall('payback')).items).toMatchObject([{ title: 'Refund' }]);
  });

  it('embeds everything again when the same model returns vectors of another size', async () => {
    const path = join(await newFolder(), 'memory.db');
    const first = new MemoryBench({ path, embedder: wordEmbedder() });
    await (await first.memory.open()).insights.create(caller(), { content: 'The zebra eats grass' });
    await indexed(first);
    await first.memory.close();
    const longer: Embedder = {
      name: 'twin',
      embed: async (texts) => texts.map((text) => [...vectorOf(text), 0]),
    };
    const second = new MemoryBench({ path, embedder: longer });
    await indexed(second);
    expect((await second.recall('striped')).texts).toEqual(['The zebra eats grass']);
  });

  it('embeds everything again for another model', async () => {
    const path = join(await newFolder(), 'memory.db');
    const first = new MemoryBench({ path, embedder: wordEmbedder('one') });
    await (await first.memory.open()).insights.create(caller(), { content: 'The zebra eats grass' });
    await indexed(first);
    await first.memory.close();
    const embedder = wordEmbedder('two');
    const second = new MemoryBench({ path, embedder });
    await indexed(second);
    expect(embedder.texts).toEqual(['The zebra eats grass']);
    expect((await second.recall('striped')).texts).toEqual(['The zebra eats grass']);
  });
});
