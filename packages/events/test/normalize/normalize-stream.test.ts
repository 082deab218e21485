import { describe, expect, test } from 'vitest';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { NormalizedStreamState } from '../../src/normalize/state.js';

const texts = ['H', 'Hello'].map((text) => ({ name: 'update', payload: { streaming_content: text } }));

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('normalizeStream', () => {
  test('keeps one state for the whole stream', () => {
    expect([...normalizeStream(texts)].map((event) => event.text)).toEqual(['H', 'ello']);
  });

  test('gives the same for what is iterable over time', async () => {
    async function* overTime() {
      yield* texts;
    }
    expect(await collect(normalizeStream(overTime()))).toEqual([...normalizeStream(texts)]);
  });

  test('pulls one raw event at a time and leaves the source when it is left', () => {
    const seen: string[] = [];
    function* source() {
      try {
        for (const event of texts) {
          seen.push(event.payload.streaming_content);
          yield event;
        }
      } finally {
        seen.push('left');
      }
    }
    const events = normalizeStream(source());
    expect(seen).toEqual([]);
    events.next();
    expect(seen).toEqual(['H']);
    events.return();
    expect(seen).toEqual(['H', 'left']);
  });

  test('leaves an asynchronous source when it is left', async () => {
    let left = false;
    async function* source() {
      try {
        yield* texts;
      } finally {
        left = true;
      }
    }
    for await (const _ of normalizeStream(source())) break;
    expect(left).toBe(true);
  });

  test('reads an array that is both iterable ways over time', async () => {
    const both = Object.assign([...texts], {
      async *[Symbol.asyncIterator]() {
        yield* texts;
      },
    });
    const events: AsyncIterable<unknown> = normalizeStream(both as AsyncIterable<(typeof texts)[number]>);
    expect(await collect(events)).toHaveLength(2);
  });

  test('has nothing to say of what is no raw event, as a line of a recording may be, and goes on', () => {
    const events: typeof texts = JSON.parse('[null, "update", 7, [], {}, true]');
    expect([...normalizeStream([...events, ...texts])]).toEqual([...normalizeStream(texts)]);
  });

  test('says at once what it needs when it gets a single event', () => {
    const single: unknown = texts[0];
    expect(() => normalizeStream(single as typeof texts)).toThrow(
      /for a single event use normalizeStreamEvent/,
    );
  });

  test.each([
    ['a misspelt option', { defaultAgent: 'Desk' }, 'defaultAgent'],
    ['a state, which is its own', { state: new NormalizedStreamState() }, 'state'],
  ])('refuses %s before it reads', (_what, options: object, name) => {
    const message = `Unknown normalizeStream option '${name}'`;
    expect(() => normalizeStream(texts, options)).toThrow(new TypeError(message));
  });

  test('takes null for options that are absent', () => {
    const nothing = JSON.parse('null');
    const options = { defaultAgentName: nothing, toolNameMap: nothing, toolMetadataMap: nothing };
    const events = [...normalizeStream(texts)];
    for (const absent of [nothing, options, { ...options, bogus: nothing }])
      expect([...normalizeStream(texts, absent)]).toEqual(events);
  });
});
