import type { JsonValue } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { isEmptyResult, renderValue } from '../../../src/planning/answer/render-value.js';

describe('renderValue', () => {
  it.each<[string, JsonValue, string]>([
    ['a number', 5, '5'],
    ['a boolean', true, 'yes'],
    ['null', null, '–'],
    ['a string with its Markdown escaped', '# *x*', String.raw`\# \*x\*`],
    ['a string that begins like a list', '+ 5 degrees', String.raw`\+ 5 degrees`],
    ['a string that begins like a numbered list', '1. x', String.raw`1\. x`],
    ['a string that is a line', '---', String.raw`\---`],
    ['a negative number in a string', '-5', '-5'],
    ['a path of the current folder', '.', '.'],
    ['a list of strings that begin like one', ['- a'], String.raw`- \- a`],
    ['a field with a line break in its name', { 'a\n\n1. b': 'x' }, '- **a 1. b**: x'],
    ['rows with a line break in a name', [{ 'a\nb': 1 }], '| a b |\n| --- |\n| 1 |'],
    ['a list', ['a', 2], '- a\n- 2'],
    ['the numbers of a path on one line', { path: 'src', files: 2, lines: 30 }, '`src`: 2 files, 30 lines'],
    ['an object', { written: true, file_name: 'a.md' }, '- **written**: yes\n- **file name**: a.md'],
    ['rows', [{ a: 1, b: 'x|y' }, { a: 2 }], '| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| 2 | – |'],
    [
      'rows that lack a field named like an inherited property',
      [{ driver: 'Leclerc', constructor: 'Ferrari' }, { driver: 'Piquet' }],
      '| driver | constructor |\n| --- | --- |\n| Leclerc | Ferrari |\n| Piquet | – |',
    ],
    ['rows inside an object', { total: 1, rows: [{ a: 1 }] }, '- **total**: 1\n\n| a |\n| --- |\n| 1 |'],
    ['a file', { path: 'a.ts', text: 'one\ntwo' }, '- **path**: a.ts\n\n```ts\none\ntwo\n```'],
    ['a file that contains fences', { text: 'one\n```\ntwo' }, '````\none\n```\ntwo\n````'],
    ['nested objects', { a: { b: 1 } }, '- **b**: 1'],
  ])('shows %s', (_case, value, text) => {
    expect(renderValue(value)).toBe(text);
  });

  it('limits rows, columns, items, text and depth', () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      Object.fromEntries(Array.from({ length: 20 }, (_each, column) => [`k${column}`, index])),
    );
    expect(renderValue(rows).split('\n')).toHaveLength(29);
    expect(renderValue(rows)).toContain('and 75 more');
    expect(renderValue(rows).split('\n')[0]?.split('|')).toHaveLength(9);
    expect(renderValue(Array.from({ length: 99 }, () => 'x'))).toContain('and 74 more');
    expect(renderValue('x\n'.repeat(50_000)).length).toBeLessThan(9000);
    expect(renderValue(`ab\n${'😀'.repeat(5_000)}`)).toMatch(/😀\n… \(\d*[02468] more characters\)/);
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]));
    expect(renderValue(fields)).toMatch(/- \*\*k99\*\*: 99\n\n… and 200 more\.$/);
    const nested = Array.from({ length: 9 }, () => JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`));
    expect(renderValue(nested).length).toBeLessThan(9000);
    expect(renderValue({ a: { b: { c: { d: nested } } } }).length).toBeLessThan(9000);
    let deep: JsonValue = 1;
    for (let level = 0; level < 50; level += 1) deep = { deeper: [deep, deep] };
    expect(() => renderValue({ a: { b: { c: { d: { e: 1 } } } } })).not.toThrow();
  });
});

describe('isEmptyResult', () => {
  it.each<[JsonValue, boolean]>([
    [null, true],
    ['', true],
    [[], true],
    [{}, true],
    [{ matches: [], total: 0 }, true],
    [{ query: 'x', matches: [] }, true],
    [0, false],
    [false, false],
    [{ matches: [], total: 3 }, false],
    [{ a: null }, false],
  ])('for %j is %s', (value, expected) => {
    expect(isEmptyResult(value)).toBe(expected);
  });
});
