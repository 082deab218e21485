import * as fc from 'fast-check';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { encodeFrame, type Frame } from '../../src/sse.js';

/** Returns what a reader receives when the frames arrive as UTF-8 bytes. */
function read(...frames: Frame[]) {
  const events: EventSourceMessage[] = [];
  const comments: string[] = [];
  const retries: number[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onComment: (comment) => comments.push(comment),
    onRetry: (retry) => retries.push(retry),
  });
  const bytes = new TextEncoder().encode(frames.map(encodeFrame).join(''));
  parser.feed(new TextDecoder().decode(bytes));
  return { events, comments, retries };
}

describe('encodeFrame', () => {
  it('writes id, event and data on separate lines, then a blank line, all with LF', () => {
    expect(encodeFrame({ data: '{"a":1}', event: 'final', id: '7' })).toBe(
      'id: 7\nevent: final\ndata: {"a":1}\n\n',
    );
  });

  it('writes a keep-alive that readers do not see as an event', () => {
    expect(encodeFrame({ comment: 'keepalive' })).toBe(': keepalive\n\n');
    expect(read({ comment: 'keepalive' })).toEqual({ events: [], comments: ['keepalive'], retries: [] });
  });

  it('writes the reconnection time', () => {
    expect(read({ retry: 1500 }, { retry: 0 }).retries).toEqual([1500, 0]);
  });

  it.each([
    ['LF', 'a\nb', 'a\nb'],
    ['CR', 'a\rb', 'a\nb'],
    ['CRLF', 'a\r\nb', 'a\nb'],
    ['a blank line in the middle', 'a\n\nevent: forged', 'a\n\nevent: forged'],
    ['a line break at the end', 'a\n', 'a\n'],
    ['no content', '', ''],
    ['a leading space', ' a', ' a'],
    ['U+2028 and U+2029', 'a\u2028b\u2029c', 'a\u2028b\u2029c'],
    ['NUL', 'a\u0000b', 'a\u0000b'],
  ])('keeps data with %s in one event', (_what, data, received) => {
    expect(read({ id: '1', event: 'x', data }, { data: 'next' }).events).toEqual([
      { id: '1', event: 'x', data: received },
      { id: undefined, event: undefined, data: 'next' },
    ]);
  });

  it('keeps comments with line breaks out of the events', () => {
    const { events, comments } = read({ comment: 'a\ndata: forged\r\rid: 9', data: 'real' });
    expect(events).toEqual([{ id: undefined, event: undefined, data: 'real' }]);
    expect(comments).toEqual(['a', 'data: forged', '', 'id: 9']);
  });

  it('turns a lone surrogate into a replacement character without breaking the frame', () => {
    expect(
      read({ id: '1', data: 'a\ud800b' }, { id: '2', data: 'c' }).events.map(({ data }) => data),
    ).toEqual(['a\ufffdb', 'c']);
  });

  it.each(['id', 'event'] as const)('keeps a U+2028 in the %s', (field) => {
    expect(read({ [field]: 'a\u2028b', data: 'x' }).events[0]?.[field]).toBe('a\u2028b');
  });

  it.each([
    ['id', 'a\nb'],
    ['id', 'a\rb'],
    ['id', 'a\u0000b'],
    ['event', 'final\n\ndata: forged'],
    ['event', 'a\r'],
    ['event', '\u0000'],
  ])('refuses an %s of %j, naming the field', (field, value) => {
    expect(() => encodeFrame({ [field]: value, data: '{}' })).toThrow(TypeError);
    expect(() => encodeFrame({ [field]: value, data: '{}' })).toThrow(`SSE ${field}`);
  });

  it('leaves out null fields like absent ones', () => {
    const frame = { id: null, event: null, data: 'x', retry: null, comment: null };
    expect(encodeFrame(frame)).toBe('data: x\n\n');
  });

  it.each(['id', 'event', 'data', 'comment'])(
    'refuses %s if it is not a string, naming the field',
    (field) => {
      for (const value of [{ a: 1 }, ['x'], 5, true, () => 'x', new Date(0)]) {
        const frame = { id: '1', event: 'x', data: '{}', [field]: value };
        expect(() => encodeFrame(frame as Frame)).toThrow(TypeError);
        expect(() => encodeFrame(frame as Frame)).toThrow(`SSE ${field} must be a string`);
      }
    },
  );

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a retry of %d', (retry) => {
    expect(() => encodeFrame({ retry })).toThrow(RangeError);
  });

  it('writes an empty id, which resets the cursor', () => {
    expect(read({ id: '', data: 'x' }).events[0]?.id).toBe('');
  });

  it('gives readers one event per frame with its data, whatever the data contains', () => {
    const frames = fc.array(
      fc.record({ data: fc.string({ unit: 'binary' }), comment: fc.string({ unit: 'binary' }) }),
    );
    fc.assert(
      fc.property(frames, (given) => {
        const received = given.map(({ data }) => data.replaceAll(/\r\n|\r/g, '\n').toWellFormed());
        expect(read(...given).events.map(({ data }) => data)).toEqual(received);
      }),
    );
  });
});
