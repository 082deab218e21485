import { describe, expect, test } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';
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

  test('yields the same events for an async iterable', async () => {
    async function* overTime() {
      yield* texts;
    }
    expect(await collect(normalizeStream(overTime()))).toEqual([...normalizeStream(texts)]);
  });

  test('pulls one raw event at a time and closes its source when it is returned', () => {
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

  test('closes an async source when its loop is left', async () => {
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

  test('rethrows what is thrown into it, and closes its source', async () => {
    let left = 0;
    function* source() {
      try {
        yield* texts;
      } finally {
        left += 1;
      }
    }
    async function* overTime() {
      yield* source();
    }
    const thrown = new Error('thrown into the generator');
    const events = normalizeStream(source());
    events.next();
    expect(() => events.throw(thrown)).toThrow(thrown);
    const later = normalizeStream(overTime());
    await later.next();
    await expect(later.throw(thrown)).rejects.toBe(thrown);
    expect(left).toBe(2);
  });

  test('is async for an array that is also async iterable', async () => {
    const both = Object.assign([...texts], {
      async *[Symbol.asyncIterator]() {
        yield* texts;
      },
    });
    const events: AsyncIterable<unknown> = normalizeStream(both as AsyncIterable<(typeof texts)[number]>);
    expect(await collect(events)).toHaveLength(2);
  });

  test('skips what is not a raw event, such as a line of a recording', () => {
    const events: typeof texts = JSON.parse('[null, "update", 7, [], {}, true]');
    expect([...normalizeStream([...events, ...texts])]).toEqual([...normalizeStream(texts)]);
  });

  test('refuses a single event at once and names the function for it', () => {
    const single: unknown = texts[0];
    expect(() => normalizeStream(single as typeof texts)).toThrow(
      /for a single event use normalizeStreamEvent/,
    );
  });

  test.each([
    ['a misspelt option', { defaultAgent: 'Desk' }, 'defaultAgent'],
    ['a state, because it creates its own', { state: new NormalizedStreamState() }, 'state'],
  ])('throws at once for %s', (_what, options: object, name) => {
    const message = `normalizeStream: unknown option '${name}'. Known options: defaultAgentName, `;
    expect(() => normalizeStream(texts, options)).toThrow(message);
  });

  test.each([
    ['defaultAgentName', 7, 'must be a string, got 7'],
    ['defaultParticipantRole', {}, 'must be a string, got object'],
    ['toolNameMap', new Map(), 'must be an object with ids as keys, got a Map: use Object.fromEntries(map)'],
    ['toolMetadataMap', [], 'must be an object with ids as keys, got object'],
    ['assignmentNameMap', 'Desk', 'must be an object with ids as keys, got "Desk"'],
  ])('throws at once when %s has the wrong type', (name, value: unknown, message) => {
    const options: object = { [name]: value };
    const error = new TypeError(`${name} ${message}`);
    expect(() => normalizeStream(texts, options)).toThrow(error);
    expect(() => normalizeStreamEvent({ name: 'update', payload: {} }, options)).toThrow(error);
  });

  test('treats null options like absent ones', () => {
    const nothing = JSON.parse('null');
    const options = { defaultAgentName: nothing, toolNameMap: nothing, toolMetadataMap: nothing };
    const events = [...normalizeStream(texts)];
    for (const absent of [nothing, options, { ...options, bogus: nothing }])
      expect([...normalizeStream(texts, absent)]).toEqual(events);
  });
});
