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

  it('makes the vectors, as many at a time as it takes', async () => {
    const given = model();
    const embedder = modelEmbedder(given);
    expect(embedder.name).toBe('test/words-1');
    const vectors = await embedder.embed(['a zebra', 'money', 'rain'], new AbortController().signal);
    expect(vectors).toEqual(['a zebra', 'money', 'rain'].map(vectorOf));
    expect(given.doEmbedCalls.map(({ values }) => values.length)).toEqual([2, 1]);
  });

  it('gets of a long text what it can take', async () => {
    const given = model();
    await modelEmbedder(given).embed(['x'.repeat(300_000), 'rain'], new AbortController().signal);
    expect(given.doEmbedCalls.flatMap(({ values }) => values).map((text) => text.length)).toEqual([8_000, 4]);
  });

  it('is used when an orchestrator is made with one', async () => {
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

describe('with a time limit', () => {
  const clock = new ManualClock();
  const limited = (embed: Embedder['embed']) => withTimeLimit({ name: 'm', embed }, { clock, timeoutMs: 50 });
  const untilAborted: Embedder['embed'] = (_texts, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      if (signal.aborted) reject(signal.reason);
    });

  it.each<[string, Embedder['embed']]>([
    ['is answered', async (texts) => texts.map(vectorOf)],
    ['fails', () => Promise.reject(new Error('the model fails'))],
  ])('a call that %s leaves nothing in a signal that lives on', async (_what, embed) => {
    const { signal } = new AbortController();
    await limited(embed)
      .embed(['rain'], signal)
      .catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // Node notes there, for as long as it lives, what was made of it by AbortSignal.any.
    const notes = Object.getOwnPropertySymbols(signal).map((key) => inspect(Reflect.get(signal, key)));
    expect(notes.join()).not.toContain('WeakRef');
  });

  it('a call is broken off for the reason of its signal, before it began or after, and of the limit', async () => {
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
])('the vector %j has the direction %j', (vector, unit) => {
  expect(unitVector(vector)).toEqual(unit && Float32Array.from(unit));
});

it('embeds a skill that becomes active with the words it had', async () => {
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
