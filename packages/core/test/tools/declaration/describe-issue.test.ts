import { expect, it } from 'vitest';
import * as z from 'zod';
import { toolify } from '../../../src/index.js';

const text = z.string();
const one = z.object({ kind: z.literal('one'), size: z.number() });
const two = z.object({ kind: z.literal('two') });

it.each<[string, z.ZodType, unknown, string]>([
  ['another type', text, 1, 'expected string'],
  ['an exclusive lower bound', z.number().positive(), 0, 'must be more than 0'],
  ['an inclusive lower bound', z.number().min(1), 0, 'must be at least 1'],
  ['an exclusive upper bound', z.number().lt(3), 3, 'must be less than 3'],
  ['an inclusive upper bound', z.number().max(3), 4, 'must be at most 3'],
  ['a minimum length', text.min(3), 'secret'.slice(0, 2), 'must have at least 3 characters'],
  ['an exact length', text.length(3), 'secret', 'must have exactly 3 characters'],
  ['a maximum number of items', z.array(text).max(1), ['a', 'b'], 'must have at most 1 items'],
  [
    'an earliest date',
    text.transform((at) => new Date(at)).pipe(z.date().min(new Date('2030-01-01'))),
    '2026-01-01',
    'must be at least 2030-01-01T00:00:00.000Z',
  ],
  ['a multiple', z.number().multipleOf(5), 3, 'must be a multiple of 5'],
  ['a pattern', text.regex(/^A-\d+$/), 'secret', String.raw`must match /^A-\d+$/`],
  ['a prefix', text.startsWith('A-'), 'secret', 'must start with "A-"'],
  ['a suffix', text.endsWith('-A'), 'secret', 'must end with "-A"'],
  ['a substring', text.includes('@'), 'secret', 'must contain "@"'],
  ['a format', z.email(), 'secret', 'must be a valid email'],
  ['allowed values', z.enum(['s', 'm']), 'secret', 'expected one of "s", "m"'],
  ['an expected BigInt', text.transform(BigInt).pipe(z.literal(5n)), '4', 'expected one of 5'],
  [
    'a union',
    z.union([text, z.object({ n: text })]),
    { n: 1 },
    'fits no alternative: expected string | n expected string',
  ],
  [
    'an exclusive union that matches twice',
    z.xor([text, text.min(2)]),
    'secret',
    'fits more than one alternative',
  ],
  [
    'a key of a record',
    z.record(text.min(2), text),
    { s: 's' },
    'has a name that does not fit: must have at least 2 characters',
  ],
  ['an unknown field', z.strictObject({}), { more: 'secret' }, 'has unknown fields: more'],
  [
    'a refinement without a message',
    text.refine(() => false),
    'secret',
    'does not meet a rule of its schema',
  ],
  [
    'a refinement with a message',
    text.refine(() => false, 'must be a known city'),
    'secret',
    'must be a known city',
  ],
])('describes an issue without the value: %s', async (_name, schema, value, problem) => {
  const tool = toolify({ name: 'go', description: 'Go', input: z.object({ at: schema }) }, () => null);
  const parsed = await tool.parseInput({ at: value }, {});
  expect(parsed).toMatchObject({ ok: false, issues: [{ problem }] });
});

it('lists the allowed discriminators of a union', async () => {
  const input = z.object({ at: z.discriminatedUnion('kind', [one, two]) });
  const tool = toolify({ name: 'go', description: 'Go', input }, () => null);
  expect(await tool.parseInput({ at: { kind: 'secret' } }, {})).toEqual({
    ok: false,
    issues: [{ path: 'at.kind', problem: 'expected one of "one", "two"' }],
  });
});
