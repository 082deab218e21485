import { createValueMatcher } from '@svc/redaction';
import { describe, expect, it } from 'vitest';
import { cleanAnswer, cleanResult, SessionValues } from '../../src/ingress/session-values.js';

const values = (value: string) => ({
  matcher: createValueMatcher([{ name: 'v', value }]),
  characters: value.length,
});

describe('the private values of sessions', () => {
  it('are dropped for one session at a time', () => {
    const sessionValues = new SessionValues();
    sessionValues.keep('a', values('secret-a'));
    sessionValues.keep('b', values('secret-b'));
    sessionValues.drop('a');
    sessionValues.drop('unknown');
    expect(sessionValues.find('a')).toBeUndefined();
    expect(sessionValues.find('b')?.replace('secret-b')).toBe('{_{v}_}');
  });

  it.each([
    ['sessions', { sessions: 2, characters: 1000 }],
    ['characters', { sessions: 1000, characters: 16 }],
  ])('are evicted, oldest first, when there are too many %s', (_, limits) => {
    const sessionValues = new SessionValues(limits);
    for (const id of ['a', 'b', 'c']) sessionValues.keep(id, values(`secret-${id}`));
    expect(['a', 'b', 'c'].map((id) => sessionValues.find(id) !== undefined)).toEqual([false, true, true]);
    sessionValues.drop('b');
    sessionValues.keep('d', values('secret-d'));
    expect(sessionValues.find('c')).toBeDefined();
  });

  it('replace those of the same session, whose characters no longer count', () => {
    const sessionValues = new SessionValues({ sessions: 10, characters: 16 });
    sessionValues.keep('a', values('secret-a'));
    for (const value of ['secret-1', 'secret-2']) sessionValues.keep('b', values(value));
    expect(sessionValues.find('a')).toBeDefined();
    expect(sessionValues.find('b')?.replace('secret-1 secret-2')).toBe('secret-1 {_{v}_}');
  });

  it('are not kept when they alone exceed the limit, and evict no others', () => {
    const sessionValues = new SessionValues({ sessions: 10, characters: 10 });
    sessionValues.keep('a', values('secret-a'));
    sessionValues.keep('b', values('secret-that-is-long'));
    expect(sessionValues.find('a')).toBeDefined();
    expect(sessionValues.find('b')).toBeUndefined();
    sessionValues.keep('c', values('secret-ten'));
    expect(sessionValues.find('c')).toBeDefined();
  });
});

describe('what a client posts', () => {
  const { matcher } = values('secret');
  const failed = (code: string, message: string) => ({
    tool_event_id: 'ev-1',
    status: 'error' as const,
    error: { code, message, retryable: true },
  });

  it('is cleaned of private values, including in the code and message of an error', () => {
    expect(cleanResult({ tool_event_id: 'ev-1', result: { it: 'secret' } }, matcher)).toEqual({
      tool_event_id: 'ev-1',
      result: { it: '{_{v}_}' },
    });
    expect(cleanResult(failed('secret', 'a secret'), matcher)).toEqual(failed('{_{v}_}', 'a {_{v}_}'));
    expect(cleanAnswer('a secret', matcher)).toBe('a {_{v}_}');
  });

  it('is unchanged when it contains no private value', () => {
    expect(cleanAnswer(42, matcher)).toBe(42);
    expect(cleanAnswer(['a'], matcher)).toEqual(['a']);
  });

  it('is withheld when the private values are no longer known', () => {
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
