import { EventSource } from 'eventsource';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/connection/connection.js';
import { decodeEnvelope } from '../../src/connection/decode-envelope.js';

const encoder = new TextEncoder();

// Without jitter, the next connection follows at once.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** A fetch that answers with these chunks first, and then that the session has ended. */
function fetchOf(chunks: Uint8Array[]) {
  let count = 0;
  return async () => {
    count += 1;
    if (count > 1) return new Response(null, { status: 204 });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Reads a stream with our client: its events, and its cursor at the end. */
async function read(chunks: Uint8Array[]) {
  const connection = new Connection({ url: 'http://app.test/', fetch: fetchOf(chunks) });
  const events: [string, string, unknown][] = [];
  for await (const { id, type, data } of connection) events.push([id, type, data['n']]);
  return { events, cursor: connection.lastEventId, malformed: connection.malformedFrames };
}

/** Cuts bytes at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (one, other) => one - other,
  );
  return [0, ...ends].map((start, index) => bytes.slice(start, ends[index] ?? bytes.length));
}

const envelope = (n: number) => `{"data":{"n":${n}}}`;

/** The rules of the format (WHATWG HTML, 9.2.5 and 9.2.6). */
const cases: [
  string,
  string,
  { events: [string, string, unknown][]; cursor?: string; malformed?: number },
][] = [
  [
    'reads LF line endings',
    `id: 1\nevent: a\ndata: ${envelope(1)}\n\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'reads CR line endings',
    `id: 1\revent: a\rdata: ${envelope(1)}\r\r`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'reads CRLF line endings',
    `id: 1\r\nevent: a\r\ndata: ${envelope(1)}\r\n\r\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'skips a byte order mark at the beginning',
    `\uFEFFid: 1\nevent: a\ndata: ${envelope(1)}\n\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'reads a second byte order mark as text',
    `\uFEFF\uFEFFid: 1\nevent: a\ndata: ${envelope(1)}\n\n`,
    { events: [['', 'a', 1]] },
  ],
  [
    'skips at most one space after the colon',
    `id:1\nevent:a\ndata:${envelope(1)}\n\nid: 2\nevent:  b\ndata:  ${envelope(2)}\n\n`,
    {
      events: [
        ['1', 'a', 1],
        ['2', ' b', 2],
      ],
      cursor: '2',
    },
  ],
  [
    'joins data over several lines',
    `id: 1\nevent: a\ndata: {"data":\ndata: {"n":1}}\n\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'skips comments anywhere',
    `: hello\nid: 1\n:\nevent: a\n: x: y\ndata: ${envelope(1)}\n\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  ['moves its cursor to an id without data', `id: 7\n\n`, { events: [], cursor: '7' }],
  [
    'resets its cursor at an empty id',
    `id: 7\nevent: a\ndata: ${envelope(1)}\n\nid\n\n`,
    { events: [['7', 'a', 1]], cursor: '' },
  ],
  [
    'ignores an id that contains NUL',
    `id: 7\n\nid: a\u0000b\nevent: a\ndata: ${envelope(1)}\n\n`,
    { events: [['', 'a', 1]], cursor: '7' },
  ],
  [
    'counts an event with an empty data line as malformed',
    `event: a\ndata\n\n`,
    { events: [], malformed: 1 },
  ],
  ['ignores an event without data', `event: a\n\nevent: b\nid: 1\n\n`, { events: [], cursor: '1' }],
  [
    'does not keep an event name for the next frame',
    `event: a\n\nid: 1\ndata: {"type":"own","data":{"n":1}}\n\n`,
    { events: [['1', 'own', 1]], cursor: '1' },
  ],
  [
    'ignores unknown fields',
    `id: 1\nevent: a\nfoo: bar\nDATA: x\ndata: ${envelope(1)}\n\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'drops an event that is cut off',
    `id: 1\nevent: a\ndata: ${envelope(1)}\n\nid: 2\nevent: a\ndata: ${envelope(2)}\n`,
    { events: [['1', 'a', 1]], cursor: '1' },
  ],
  [
    'reads multi-byte characters',
    `id: é\nevent: ü😀\ndata: {"data":{"n":"日本\u2028"}}\n\n`,
    { events: [['é', 'ü😀', '日本\u2028']], cursor: 'é' },
  ],
];

describe('a reader of the event stream format', () => {
  it.each(cases)('%s', async (_, text, { events, cursor, malformed = 0 }) => {
    const bytes = encoder.encode(text);
    expect(await read([bytes])).toEqual({ events, cursor, malformed });
    // The same with a cut at every byte, and byte by byte.
    for (let place = 0; place <= bytes.length; place += 1) {
      expect((await read(cut(bytes, [place]))).events).toEqual(events);
    }
    expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual({
      events,
      cursor,
      malformed,
    });
  });

  it('reads broken UTF-8 as replacement characters', async () => {
    const bytes = encoder
      .encode(`event: a\ndata: {"data":{"n":"?"}}\n\n`)
      .map((byte) => (byte === 63 ? 0xff : byte));
    expect((await read([bytes])).events).toEqual([['', 'a', '\uFFFD']]);
  });

  it.each([
    ['100', 50],
    ['0', 5],
    ['1e3', 500],
    ['-1', 500],
    ['soon', 500],
    ['', 500],
  ])('turns a retry field of %j into a wait of %i ms at half the jitter', async (value, waitMs) => {
    vi.useFakeTimers({ now: 0 });
    vi.mocked(Math.random).mockReturnValue(0.5);
    const times: number[] = [];
    const fetch = async () => {
      times.push(Date.now());
      return times.length > 1
        ? new Response(null, { status: 204 })
        : new Response(`retry: ${value}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    };
    const connection = new Connection({ url: 'http://app.test/', fetch });
    const ended = connection[Symbol.asyncIterator]().next();
    await vi.runAllTimersAsync();
    await ended;
    vi.useRealTimers();
    expect(times).toEqual([0, waitMs]);
  });
});

/** A valid or invalid line of a stream. Ids are numbered by position, so that each is unique. */
const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    'data',
    'data:',
    'event:',
    ':',
    ': comment',
    'foo: bar',
    'id: x\u0000y',
    'event: a',
    'event: b',
    'id: #',
  ),
  fc.nat(9).map((n) => `data: ${envelope(n)}`),
  fc.nat(9).map((n) => `id: #\nevent: a\ndata: ${envelope(n)}\n`),
  fc.string().map((text) => `data: ${text}`),
);
const streams = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 30 })
  .map((lines) =>
    encoder.encode(lines.map(([text, end], index) => text.replace('#', `${index}`) + end).join('')),
  );

/** Reads a stream with the eventsource package. */
async function readWithEventSource(chunks: Uint8Array[]): Promise<[string, unknown][]> {
  const events: [string, unknown][] = [];
  await new Promise<void>((resolve) => {
    const source = new EventSource('http://app.test/', { fetch: fetchOf(chunks) });
    for (const name of ['a', 'b']) {
      source.addEventListener(name, ({ data }) => {
        const decoded = decodeEnvelope({ data, event: name });
        if (decoded) events.push([decoded.type, decoded.data['n']]);
      });
    }
    source.addEventListener('error', () => {
      source.close();
      resolve();
    });
  });
  return events;
}

describe('compared with the eventsource package', () => {
  it('reads the same events from any stream, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, places) => {
        const whole = await read([bytes]);
        const inPieces = await read(cut(bytes, places));
        expect(inPieces).toEqual(whole);
        expect(inPieces.events.map(([, type, n]) => [type, n])).toEqual(await readWithEventSource([bytes]));
      }),
      { numRuns: 500 },
    );
  });
});
