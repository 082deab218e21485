import { createValueMatcher } from '@svc/redaction';
import { describe, expect, it } from 'vitest';
import { cleanAnswer, cleanResult, SessionValues } from '../../src/ingress/session-values.js';

const values = (value: string) => ({
  matcher: createValueMatcher([{ name: 'v', value }]),
  characters: value.length,
});

describe('the private values of sessions', () => {
  it('are dropped one by one', () => {
    const room = new SessionValues();
    room.keep('a', values('secret-a'));
    room.keep('b', values('secret-b'));
    room.drop('a');
    room.drop('unknown');
    expect(room.find('a')).toBeUndefined();
    expect(room.find('b')?.replace('secret-b')).toBe('{_{v}_}');
  });

  it.each([
    ['sessions', { sessions: 2, characters: 1000 }],
    ['characters', { sessions: 1000, characters: 16 }],
  ])('make room for newer ones when there are too many %s', (_, limits) => {
    const room = new SessionValues(limits);
    for (const id of ['a', 'b', 'c']) room.keep(id, values(`secret-${id}`));
    expect(['a', 'b', 'c'].map((id) => room.find(id) !== undefined)).toEqual([false, true, true]);
    room.drop('b');
    room.keep('d', values('secret-d'));
    expect(room.find('c')).toBeDefined();
  });

  it('are not kept when they alone are too many, and cost the others nothing', () => {
    const room = new SessionValues({ sessions: 10, characters: 10 });
    room.keep('a', values('secret-a'));
    room.keep('b', values('secret-that-is-long'));
    expect(room.find('a')).toBeDefined();
    expect(room.find('b')).toBeUndefined();
  });
});

describe('what a client posts', () => {
  const { matcher } = values('secret');
  const failed = (code: string, message: string) => ({
    tool_event_id: 'ev-1',
    status: 'error' as const,
    error: { code, message, retryable: true },
  });

  it('is kept without private values, the code and the words of an error too', () => {
    expect(cleanResult({ tool_event_id: 'ev-1', result: { it: 'secret' } }, matcher)).toEqual({
      tool_event_id: 'ev-1',
      result: { it: '{_{v}_}' },
    });
    expect(cleanResult(failed('secret', 'a secret'), matcher)).toEqual(failed('{_{v}_}', 'a {_{v}_}'));
    expect(cleanAnswer('a secret', matcher)).toBe('a {_{v}_}');
  });

  it('is what it was where no private value stands in it', () => {
    expect(cleanAnswer(42, matcher)).toBe(42);
    expect(cleanAnswer(['a'], matcher)).toEqual(['a']);
  });

  it('is withheld when the values are gone', () => {
    expect(cleanResult({ tool_event_id: 'ev-1', result: 'x' }, 'gone')).toEqual({
      tool_event_id: 'ev-1',
      status: 'error',
      error: {
        code: 'PRIVATE_VALUES_GONE',
        message: 'The result was withheld: the private values of this session are no longer known here.',
        retryable: false,
      },
    });
    expect(cleanAnswer('x', 'gone')).toBeNull();
  });
});
