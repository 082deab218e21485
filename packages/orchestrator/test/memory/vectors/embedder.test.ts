import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { MockEmbeddingModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  modelEmbedder,
  unitVector,
  withTimeLimit,
  type Embedder,
} from '../../../src/memory/vectors/embedder.js';
import { caller, MemoryBench } from '../../support/memory-bench.js';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import { ManualClock } from '../../support/manual-clock.js';
import { vectorOf } from './word-vectors.js';

describe('an AI SDK model', () => {
  const model = () =>
    new MockEmbeddingModelV4({
      provider: 'test',
      modelId: 'words-1',
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => ({ embeddings: values.map(vectorOf), warnings: [] }),
    });

  it('embeds texts in batches of the size that the model accepts', async () => {
    const given = model();
    const embedder = modelEmbedder(given);
    expect(embedder.name).toBe('test/words-1');
    const vectors = await embedder.embed(['a zebra', 'money', 'rain'], new AbortController().signal);
    expect(vectors).toEqual(['a zebra', 'money', 'rain'].map(vectorOf));
    expect(given.doEmbedCalls.map(({ values }) => values.length)).toEqual([2, 1]);
  });

  it('receives only the first 8,000 characters of a long text', async () => {
    const given = model();
    await modelEmbedder(given).embed(['x'.repeat(300_000), 'rain'], new AbortController().signal);
    expect(given.doEmbedCalls.flatMap(({ values }) => values).map((text) => text.length)).toEqual([8_000, 4]);
  });

  it('is used by an orchestrator that was created with it', async () => {
    const { client } = await openOrchestrator({ memory: { embeddingModel: model() } });
    const body = { content: 'The zebra eats grass' };
    await client.request('POST', '/projects/local/memory/insights', body);
    const state = {
      messages: [{ type: 'human', content: 'a striped animal' }],
      tools: [],
      memory_config: {},
    };
    const { events } = await client.run(state);
    const retrieved = events.find(({ payload }) => payload['phase'] === 'memory_retrieved');
    expect(retrieved?.payload['memory']).toMatchObject({ insight_count: 1, vector_hits: 1, keyword_hits: 0 });
  });
});

describe('an embedder with a time limit', () => {
  const clock = new ManualClock();
  const limited = (embed: Embedder['embed']) => withTimeLimit({ name: 'm', embed }, { clock, timeoutMs: 50 });
  const untilAborted: Embedder['embed'] = (_texts, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      if (signal.aborted) reject(signal.reason);
    });

  it.each<[string, Embedder['embed']]>([
    ['succeeds', async (texts) => texts.map(vectorOf)],
    ['fails', () => Promise.reject(new Error('the model fails'))],
  ])('leaves nothing on a long-lived signal after a call that %s', async (_what, embed) => {
    const { signal } = new AbortController();
    await limited(embed)
      .embed(['rain'], signal)
      .catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // A signal keeps weak references to what AbortSignal.any derived from it for as long as it lives.
    const notes = Object.getOwnPropertySymbols(signal).map((key) => inspect(Reflect.get(signal, key)));
    expect(notes.join()).not.toContain('WeakRef');
  });

  it('aborts a call when its signal aborts or has already aborted, and at the time limit', async () => {
    const embed = (signal: AbortSignal) => limited(untilAborted).embed(['rain'], signal);
    await expect(embed(AbortSignal.abort(new Error('closed')))).rejects.toThrow('closed');
    const leaving = new AbortController();
    const left = embed(leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const late = embed(new AbortController().signal);
    clock.advance(50);
    await expect(late).rejects.toThrow('took longer than 0.05 s');
  });
});

it.each([
  [
    [3, 4],
    [3 / 5, 4 / 5],
  ],
  [[0, 0], undefined],
  [[], undefined],
  [[1, Number.NaN], undefined],
  [[1, Infinity], undefined],
])('normalizes the vector %o to %o', (vector, unit) => {
  expect(unitVector(vector)).toEqual(unit && Float32Array.from(unit));
});

it('embeds a skill only once it becomes active', async () => {
  const texts: string[] = [];
  const embedder: Embedder = {
    name: 'kept',
    embed: async (given) => given.map((text) => [texts.push(text), 1]),
  };
  const bench = new MemoryBench({ embedder });
  const { skills, indexer } = await bench.memory.open();
  await skills.create(caller(), { id: 'one', name: 'Zebra', status: 'quarantined' });
  await indexer?.whenIdle();
  expect(texts).toEqual([]);
  await skills.update(caller(), 'one', { status: 'active' });
  await indexer?.whenIdle();
  expect(texts).toEqual(['Zebra']);
});
