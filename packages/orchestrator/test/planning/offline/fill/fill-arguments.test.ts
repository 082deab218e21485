import type { JsonObject } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { wholeClause } from '../../../../src/planning/offline/tools/clauses.js';
import { fillArguments } from '../../../../src/planning/offline/fill/fill-arguments.js';
import { toolSetOf } from '../../../../src/planning/offline/tools/tool-profile.js';
import { toolsOf } from '../../plan-fixtures.js';

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
      'a list that follows its name',
      'do it with tags: red, green and blue',
      { tags: { type: 'array', items: string } },
      [],
      { tags: ['red', 'green', 'blue'] },
    ],
    [
      'no list with pattern characters in its name, which may be any',
      'do it with filter[created-at]: red and blue',
      { 'filter[created-at]': { type: 'array', items: string }, 'c++': { type: 'array', items: string } },
      [],
      {},
    ],
    [
      'a list of quotations whose name has no Latin letters',
      'do it with "red" and "blue"',
      { 標籤: { type: 'array', items: string } },
      ['標籤'],
      { 標籤: ['red', 'blue'] },
    ],
    [
      'a list after its name of two words',
      'do it, file names: a and b',
      { file_names: { type: 'array', items: string } },
      [],
      { file_names: ['a', 'b'] },
    ],
    [
      'an email address with its placeholder',
      'do it for {_{pii_email_7}_}',
      { to: { type: 'string', format: 'email' } },
      ['to'],
      { to: '{_{pii_email_7}_}' },
    ],
    [
      'a quotation rather than the words after "of"',
      'change the address of order A-17 to "Side St 2"',
      { order_id: string, address: string },
      ['order_id', 'address'],
      { order_id: 'A-17', address: 'Side St 2' },
    ],
    [
      'values after "of"',
      'do it with a ticket of A-5 and the city of Oslo',
      { ticket: string, city: string },
      ['ticket'],
      { ticket: 'A-5', city: 'Oslo' },
    ],
    ['a lower-case value after "of"', 'show the city of oslo', { city: string }, ['city'], { city: 'oslo' }],
    ['a quotation after "of"', 'Get the weather of “oslo”', { city: string }, ['city'], { city: 'oslo' }],
    [
      'a quotation, next to a number',
      "weather for 'Oslo' for 3 days",
      { city: string, days: integer },
      ['city', 'days'],
      { city: 'Oslo', days: 3 },
    ],
    [
      'a name, but not with "I"',
      'Can I see what Ada did',
      { customer: string },
      ['customer'],
      { customer: 'Ada' },
    ],
    [
      'a text and its target language',
      'translate "good morning" to German',
      { text: string, language: string },
      ['text', 'language'],
      { text: 'good morning', language: 'German' },
    ],
    [
      'a language given before the text',
      'say in French "the cat of Ada"',
      { target_language: string, text: string },
      ['text', 'target_language'],
      { text: 'the cat of Ada', target_language: 'French' },
    ],
    [
      'two languages, but not with a quoted one',
      'translate "say it in Dutch" from English to german',
      { source_language: string, target_language: string, text: string },
      ['text'],
      { source_language: 'English', target_language: 'german', text: 'say it in Dutch' },
    ],
    [
      'no optional language with a place or a person',
      'the weather in Oslo for Ada, to Bob',
      { city: string, language: string },
      ['city'],
      { city: 'Oslo' },
    ],
    [
      'a required language with an unknown name',
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
      'an object with pasted JSON',
      'do it with {"a": 1}',
      { data: { type: 'object', properties: { a: integer }, required: ['a'] } },
      ['data'],
      { data: { a: 1 } },
    ],
    [
      'an object field by field',
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
      'a phrase with its inner punctuation',
      'please do it for lemons, sugar; and tea!',
      { thing: string },
      ['thing'],
      { thing: 'lemons, sugar; and tea' },
    ],
    ['a number by its unit', 'wait 3 days', { days: integer }, [], { days: 3 }],
    ['a number word', 'the top five', { limit: integer }, [], { limit: 5 }],
    [
      'a limit with its maximum if more is asked for',
      'top 500',
      { limit: { type: 'integer', maximum: 100 } },
      [],
      { limit: 100 },
    ],
    [
      'a flag and a negated flag',
      'do it recursively, without hidden',
      { recursive: boolean, include_hidden: boolean },
      [],
      { recursive: true, include_hidden: false },
    ],
    ['a nullable argument', 'limit 3', { limit: { anyOf: [integer, { type: 'null' }] } }, [], { limit: 3 }],
    ['a const', 'do it', { kind: { const: 'x' } }, ['kind'], { kind: 'x' }],
    ['the only enum value', 'do it', { kind: { enum: ['only'] } }, ['kind'], { kind: 'only' }],
    [
      'a required argument with its default',
      'do it',
      { n: { type: 'integer', default: 7 } },
      ['n'],
      { n: 7 },
    ],
    [
      'an extension with a dot if its description has one',
      'ts files',
      { extension: { ...string, description: 'Such as .ts' } },
      [],
      { extension: '.ts' },
    ],
    ['a glob with a file type', 'markdown files', { glob: string }, [], { glob: '**/*.md' }],
    [
      'two folders in order',
      'copy folder a/b to folder c/d',
      { source_folder: string, target_folder: string },
      ['source_folder', 'target_folder'],
      { source_folder: 'a/b', target_folder: 'c/d' },
    ],
    [
      'both ends of a date range',
      'from 2026-01-01 until 2026-02-01',
      { since: { ...string, format: 'date' }, until: { ...string, format: 'date' } },
      [],
      { since: '2026-01-01', until: '2026-02-01' },
    ],
    [
      'an enum value by name, in another case',
      'colour=RED',
      { colour: { enum: ['red', 'blue'] } },
      [],
      { colour: 'red' },
    ],
    ['a numeric enum value', 'level=2', { level: { enum: [1, 2, 3] } }, [], { level: 2 }],
    [
      'an enum value by what people call it',
      'in metric',
      { unit: { enum: ['celsius', 'kelvin'] } },
      [],
      { unit: 'celsius' },
    ],
    [
      'a currency by its sign, and the amount next to it',
      'pay $5',
      { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number' } },
      ['currency', 'amount'],
      { currency: 'USD', amount: 5 },
    ],
    [
      'flags by name',
      'active=yes, hidden=off',
      { active: boolean, hidden: boolean },
      [],
      { active: true, hidden: false },
    ],
    [
      'no optional object that would lack a required field',
      'city Berlin',
      { address: { type: 'object', properties: { city: string, zip: integer }, required: ['city', 'zip'] } },
      [],
      {},
    ],
    [
      'a required object that has no required fields',
      'do it',
      { options: { type: 'object', properties: { depth: integer } } },
      ['options'],
      { options: {} },
    ],
    ['a value by name rather than by its form', 'number=7 of 9', { number: integer }, [], { number: 7 }],
  ])('fills %s', (_case, text, properties, required, args) => {
    expect(fill(text, properties, required)).toEqual({ calls: [args], missing: [] });
  });

  it.each<[string, string, JsonObject, string[], string[]]>([
    [
      'the request does not mention it',
      'do it',
      { city: string, when: { ...string, format: 'date' } },
      ['city', 'when'],
      ['city', 'when'],
    ],
    [
      'the given value does not fit',
      'do it with colour green',
      { colour: { enum: ['red', 'blue'] } },
      ['colour'],
      ['colour'],
    ],
    [
      'a field of an object is not given',
      'city Berlin',
      { address: { type: 'object', properties: { city: string, zip: integer }, required: ['city', 'zip'] } },
      ['address'],
      ['address.zip'],
    ],
    [
      'a date is wanted as a number, but the number in the text is something else',
      'show 3 of them',
      { since: { ...integer, description: 'The date in seconds' } },
      ['since'],
      ['since'],
    ],
    [
      'the next word is not an id',
      'do it for the order status',
      { order_id: string },
      ['order_id'],
      ['order_id'],
    ],
    ['a required flag is not mentioned', 'do it', { agreed: boolean }, ['agreed'], ['agreed']],
    ['a text needs its quotation', 'send "hi"', { name: string, text: string }, ['name', 'text'], ['name']],
  ])('reports a missing argument when %s', (_case, text, properties, required, paths) => {
    expect(fill(text, properties, required).missing).toEqual(paths);
  });

  it('makes one call for each of several files', () => {
    expect(fill('a.ts, b.ts and c.ts', { path: string }, ['path']).calls).toEqual([
      { path: 'a.ts' },
      { path: 'b.ts' },
      { path: 'c.ts' },
    ]);
  });

  it('does not fill optional text arguments', () => {
    expect(
      fill('do it with all that free text around', { note: string, query: string, prompt: string }),
    ).toEqual({ calls: [{}], missing: [] });
  });

  it('uses what remains of a text for one argument, and asks for the other', () => {
    const found = fill('do it for checkout', { service: string, version: string }, ['service', 'version']);
    expect(found).toEqual({ calls: [{ service: 'checkout' }], missing: ['version'] });
  });
});
