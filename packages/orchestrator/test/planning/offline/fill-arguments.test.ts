import type { JsonObject } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { wholeClause } from '../../../src/planning/offline/clauses.js';
import { fillArguments } from '../../../src/planning/offline/fill-arguments.js';
import { toolSetOf } from '../../../src/planning/offline/tool-profile.js';
import { toolsOf } from '../plan-fixtures.js';

const clock = { now: '2026-03-18T10:00:00.000Z', timezone: 'UTC' };

function fill(text: string, properties: JsonObject, required: string[] = []) {
  const [profile] = toolSetOf(toolsOf({ name: 'do_it', properties, required })).profiles;
  if (!profile) throw new Error('no tool');
  const { calls, missing } = fillArguments(profile, wholeClause(text, clock));
  return { calls, missing: missing.map(({ path }) => path) };
}
const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };

describe('fillArguments', () => {
  it.each<[string, string, JsonObject, string[], JsonObject]>([
    [
      'a list after its name',
      'do it with tags: red, green and blue',
      { tags: { type: 'array', items: string } },
      [],
      { tags: ['red', 'green', 'blue'] },
    ],
    [
      'an address that was redacted',
      'do it for {_{pii_email_7}_}',
      { to: { type: 'string', format: 'email' } },
      ['to'],
      { to: '{_{pii_email_7}_}' },
    ],
    [
      'a quotation, and no word for what the argument belongs to',
      'change the address of order A-17 to "Side St 2"',
      { order_id: string, address: string },
      ['order_id', 'address'],
      { order_id: 'A-17', address: 'Side St 2' },
    ],
    [
      'what an argument is of, where that is a value',
      'do it with a ticket of A-5 and the city of Oslo',
      { ticket: string, city: string },
      ['ticket'],
      { ticket: 'A-5', city: 'Oslo' },
    ],
    [
      'what an argument is of, also in small letters',
      'show the city of oslo',
      { city: string },
      ['city'],
      { city: 'oslo' },
    ],
    [
      'a name, which "I" is none',
      'Can I see what Ada did',
      { customer: string },
      ['customer'],
      { customer: 'Ada' },
    ],
    [
      'a text and the language it is wanted in',
      'translate "good morning" to German',
      { text: string, language: string },
      ['text', 'language'],
      { text: 'good morning', language: 'German' },
    ],
    [
      'a language before the text',
      'say in French "the cat of Ada"',
      { target_language: string, text: string },
      ['text', 'target_language'],
      { text: 'the cat of Ada', target_language: 'French' },
    ],
    [
      'two languages, and none that is quoted',
      'translate "say it in Dutch" from English to german',
      { source_language: string, target_language: string, text: string },
      ['text'],
      { source_language: 'English', target_language: 'german', text: 'say it in Dutch' },
    ],
    [
      'no place and no person as a language that nobody needs',
      'the weather in Oslo for Ada, to Bob',
      { city: string, language: string },
      ['city'],
      { city: 'Oslo' },
    ],
    [
      'another name as a language that is needed',
      'say it in Elvish',
      { language: string },
      ['language'],
      { language: 'Elvish' },
    ],
    [
      'a list of quotations',
      'do it for "a b" and "c"',
      { items: { type: 'array', items: string } },
      ['items'],
      { items: ['a b', 'c'] },
    ],
    [
      'a list of files',
      'do it for a.ts and b.ts',
      { files: { type: 'array', items: string } },
      [],
      { files: ['a.ts', 'b.ts'] },
    ],
    [
      'pasted JSON',
      'do it with {"a": 1}',
      { data: { type: 'object', properties: { a: integer }, required: ['a'] } },
      ['data'],
      { data: { a: 1 } },
    ],
    [
      'an object by its parts',
      'city Berlin, zip 10115',
      { address: { type: 'object', properties: { city: string, zip: string }, required: ['city', 'zip'] } },
      ['address'],
      { address: { city: 'Berlin', zip: '10115' } },
    ],
    [
      'a range of numbers',
      'from 10 to 20',
      { from: integer, to: integer },
      ['from', 'to'],
      { from: 10, to: 20 },
    ],
    [
      'a phrase with what stands between its words',
      'please do it for lemons, sugar; and tea!',
      { thing: string },
      ['thing'],
      { thing: 'lemons, sugar; and tea' },
    ],
    ['a number by its unit', 'wait 3 days', { days: integer }, [], { days: 3 }],
    ['a number word', 'the top five', { limit: integer }, [], { limit: 5 }],
    [
      'a limit within its bounds',
      'top 500',
      { limit: { type: 'integer', maximum: 100 } },
      [],
      { limit: 100 },
    ],
    [
      'a flag and its denial',
      'do it recursively, without hidden',
      { recursive: boolean, include_hidden: boolean },
      [],
      { recursive: true, include_hidden: false },
    ],
    ['a nullable argument', 'limit 3', { limit: { anyOf: [integer, { type: 'null' }] } }, [], { limit: 3 }],
    ['a fixed value', 'do it', { kind: { const: 'x' } }, ['kind'], { kind: 'x' }],
    ['the only member of an enumeration', 'do it', { kind: { enum: ['only'] } }, ['kind'], { kind: 'only' }],
    ['a default that the schema requires', 'do it', { n: { type: 'integer', default: 7 } }, ['n'], { n: 7 }],
    [
      'an extension with its dot where it is wanted so',
      'ts files',
      { extension: { ...string, description: 'Such as .ts' } },
      [],
      { extension: '.ts' },
    ],
    ['a glob from a file type', 'markdown files', { glob: string }, [], { glob: '**/*.md' }],
    [
      'two folders in their order',
      'copy folder a/b to folder c/d',
      { source_folder: string, target_folder: string },
      ['source_folder', 'target_folder'],
      { source_folder: 'a/b', target_folder: 'c/d' },
    ],
    [
      'both ends of a span of time',
      'from 2026-01-01 until 2026-02-01',
      { since: { ...string, format: 'date' }, until: { ...string, format: 'date' } },
      [],
      { since: '2026-01-01', until: '2026-02-01' },
    ],
    [
      'a member by name, in another case',
      'colour=RED',
      { colour: { enum: ['red', 'blue'] } },
      [],
      { colour: 'red' },
    ],
    ['a member that is a number', 'level=2', { level: { enum: [1, 2, 3] } }, [], { level: 2 }],
    [
      'what people call a member',
      'in metric',
      { unit: { enum: ['celsius', 'kelvin'] } },
      [],
      { unit: 'celsius' },
    ],
    [
      'the sign of a currency, which leaves its number to the amount',
      'pay $5',
      { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number' } },
      ['currency', 'amount'],
      { currency: 'USD', amount: 5 },
    ],
    [
      'a flag by name',
      'active=yes, hidden=off',
      { active: boolean, hidden: boolean },
      [],
      { active: true, hidden: false },
    ],
    [
      'no part of an object that need not be there and lacks what it needs',
      'city Berlin',
      { address: { type: 'object', properties: { city: string, zip: integer }, required: ['city', 'zip'] } },
      [],
      {},
    ],
    [
      'an object that has to be there and needs nothing',
      'do it',
      { options: { type: 'object', properties: { depth: integer } } },
      ['options'],
      { options: {} },
    ],
    ['a value by name, over what its form says', 'number=7 of 9', { number: integer }, [], { number: 7 }],
  ])('%s', (_case, text, properties, required, args) => {
    expect(fill(text, properties, required)).toEqual({ calls: [args], missing: [] });
  });

  it.each<[string, string, JsonObject, string[], string[]]>([
    [
      'nothing says it',
      'do it',
      { city: string, when: { ...string, format: 'date' } },
      ['city', 'when'],
      ['city', 'when'],
    ],
    [
      'what is said does not fit',
      'do it with colour green',
      { colour: { enum: ['red', 'blue'] } },
      ['colour'],
      ['colour'],
    ],
    [
      'a part of an object is not said',
      'city Berlin',
      { address: { type: 'object', properties: { city: string, zip: integer }, required: ['city', 'zip'] } },
      ['address'],
      ['address.zip'],
    ],
    [
      'a date is wanted as a number, which the text gives of something else',
      'show 3 of them',
      { since: { ...integer, description: 'The date in seconds' } },
      ['since'],
      ['since'],
    ],
    [
      'the next word is no id',
      'do it for the order status',
      { order_id: string },
      ['order_id'],
      ['order_id'],
    ],
    ['a flag has to be known', 'do it', { agreed: boolean }, ['agreed'], ['agreed']],
  ])('reports what is missing when %s', (_case, text, properties, required, paths) => {
    expect(fill(text, properties, required).missing).toEqual(paths);
  });

  it('makes one call for each of several things', () => {
    expect(fill('a.ts, b.ts and c.ts', { path: string }, ['path']).calls).toEqual([
      { path: 'a.ts' },
      { path: 'b.ts' },
      { path: 'c.ts' },
    ]);
  });

  it('leaves optional text alone', () => {
    expect(
      fill('do it with all that free text around', { note: string, query: string, prompt: string }),
    ).toEqual({ calls: [{}], missing: [] });
  });
});
