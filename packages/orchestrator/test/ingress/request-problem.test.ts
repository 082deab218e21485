import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseBody } from '../../src/ingress/read-request.js';
import { StorableText } from '../../src/storable-text.js';

const Schema = z.object({
  name: z.string().max(5).optional(),
  tags: z.array(z.string().max(9)).min(1).max(2).optional(),
  limit: z.coerce.number().int().max(200).optional(),
  mode: z.enum(['fast', 'slow']).optional(),
  id: StorableText.optional(),
  content: z.union([z.string(), z.array(z.object({ text: z.string() }))]).optional(),
  kind: z
    .discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })])
    .optional(),
  result: z
    .union([
      z.object({ status: z.literal('ok'), value: z.number() }),
      z.object({ status: z.literal('error'), error: z.string() }),
    ])
    .optional(),
  config: z.strictObject({ on: z.boolean().optional() }).optional(),
});

function refusalOf(body: unknown): { message: string; details: { problems: object[] } } {
  try {
    parseBody(Schema, body);
  } catch (error) {
    return error as ReturnType<typeof refusalOf>;
  }
  throw new Error('the body was accepted');
}

describe('the error of a refused request', () => {
  it.each([
    [
      'a string that is too long',
      { name: 'secret' },
      'name',
      'expected string to have <=5 characters, got 6',
    ],
    [
      'an array that is too long',
      { tags: ['a', 'b', 'c'] },
      'tags',
      'expected array to have <=2 items, got 3',
    ],
    ['an array that is too short', { tags: [] }, 'tags', 'expected array to have >=1 items, got 0'],
    [
      'a string that is too long within an array',
      { tags: ['a', 'the secret'] },
      'tags.1',
      'expected string to have <=9 characters, got 10',
    ],
    ['a number that is too large', { limit: '500' }, 'limit', 'Too big: expected number to be <=200.'],
    ['a string that is not a number', { limit: 'secret' }, 'limit', 'expected number, received NaN'],
    ['a wrong type', { name: 5 }, 'name', 'expected string, received number'],
    ['an unknown value', { mode: 'secret' }, 'mode', 'expected one of "fast"|"slow"'],
    ['an unpaired surrogate', { id: 'secret\ud800' }, 'id', 'no NUL and no unpaired surrogate'],
    ['a value of none of several types', { content: 5 }, 'content', 'expected string, received number, or: '],
    [
      'a wrong type within an array',
      { content: [{ text: 5 }] },
      'content.0.text',
      'expected string, received number',
    ],
    [
      'an object of none of several shapes',
      { result: { status: 'secret' } },
      'result.status',
      'expected "ok", or: Invalid input: expected "error".',
    ],
    [
      'an object that lacks a field of each shape',
      { result: { status: 'error' } },
      'result',
      'status: Invalid input: expected "ok", or: error: Invalid input: expected string, received undefined.',
    ],
    ['an unknown kind', { kind: { type: 'secret' } }, 'kind.type', "Expected 'a' | 'b'"],
    ['an unknown option', { config: { of: true } }, 'config', 'Unrecognized key: "of"'],
  ])('says what is expected instead of %s, without quoting the value', (_case, body, path, words) => {
    const { message, details } = refusalOf(body);
    expect(message).toContain(`The request is invalid at "${path}": `);
    expect(message).toContain(words);
    expect(details.problems).toEqual([
      { path, problem: expect.any(String), message: expect.stringContaining(words) },
    ]);
    expect(JSON.stringify([message, details])).not.toContain('secret');
  });

  it('names no path when the whole body is invalid', () => {
    expect(refusalOf('secret').message).toBe(
      'The request is invalid: Invalid input: expected object, received string.',
    );
  });

  it('repeats only the beginning of a long field name', () => {
    const config = { ['x'.repeat(100_000)]: 1 };
    expect(JSON.stringify(refusalOf({ config }).details).length).toBeLessThan(1000);
  });
});
