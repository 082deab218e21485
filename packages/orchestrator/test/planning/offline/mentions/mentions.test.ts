import { describe, expect, it } from 'vitest';
import { findMentions } from '../../../../src/planning/offline/mentions/mentions.js';

const clock = { now: '2026-03-18T10:00:00.000Z', timezone: 'UTC' };
const named = (text: string) =>
  findMentions(text, clock).all.map(
    ({ kind, name, value, unit }) => `${kind} ${name ? `${name}=` : ''}${value}${unit ? ` ${unit}` : ''}`,
  );

describe('findMentions', () => {
  it.each([
    ['packages/core/src/index.ts and ./a/b.md', ['file packages/core/src/index.ts', 'file ./a/b.md']],
    [
      'in src, in the docs folder, folder apps/demo, packages/',
      ['folder src', 'folder docs', 'folder apps/demo', 'folder packages'],
    ],
    ['the README, the LICENSE and a Dockerfile', ['file README.md', 'file LICENSE', 'file Dockerfile']],
    ['.env, apps/.npmrc and .ts files', ['file .env', 'file apps/.npmrc', 'extension ts']],
    ['the file /etc/hosts, file ../../b/c.', ['file /etc/hosts', 'file ../../b/c']],
    ['search for: this', []],
    ['Node.js, e.g. v1.2.3 and/or this', []],
    ['*.ts and src/**/*.md', ['glob *.ts', 'glob src/**/*.md']],
    [
      'TypeScript, ts files, .md files, extension json',
      ['extension ts', 'extension ts', 'extension md', 'extension json'],
    ],
    ['"a b", “c”, `d` and \'e\'', ['quoted a b', 'quoted c', 'quoted d', 'quoted e']],
    ["Bob's and don't", ['proper Bob']],
    [
      'mail {_{pii_email_1}_} and {_{pii_person_2}_}, owner: {_{pii_email_3}_}, "for {_{patient}_}"',
      [
        'email {_{pii_email_1}_}',
        'proper {_{pii_person_2}_}',
        'named owner={_{pii_email_3}_}',
        'quoted for {_{patient}_}',
      ],
    ],
    ['limit=5, folder: src, name="x y"', ['named limit=5', 'named folder=src', 'named name=x y']],
    ['https://a.b/c?d=1. bob@x.org', ['url https://a.b/c?d=1', 'email bob@x.org']],
    ['top 5 files, five files, twenty-five items', ['number 5 files', 'number 5 files', 'number 25 items']],
    ['5 constructor calls', ['number 5 constructor']],
    ['two hundred and fifty, a dozen', ['number 250', 'number 12']],
    [
      '€12.50, 30 euros, 1,000 items, -3',
      ['number 12.50 eur', 'number 30 euros', 'number 1000 items', 'number -3'],
    ],
    ['lines 10-20 of A-17 and v2', ['number 10', 'number 20', 'code A-17', 'code v2']],
    ['Which one? The one.', []],
    [
      'createOrchestrator, EventBridge, run()',
      ['identifier createOrchestrator', 'identifier EventBridge', 'identifier run()'],
    ],
    ['Show New York and Ludwig van Beethoven', ['proper New York', 'proper Ludwig van Beethoven']],
    ['{"a": [1]} and [x]', ['json {"a": [1]}']],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', ['uuid 0f8fad5b-d9cb-469f-a165-70867728950e']],
  ])('finds the mentions in: %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it('finds no overlapping mentions', () => {
    const { all } = findMentions(
      '"src/a.ts" in packages/core since 2026-01-01, limit=5 of 10 files by Ada',
      clock,
    );
    for (const [index, each] of all.entries())
      expect(each.start).toBeGreaterThanOrEqual(all[index - 1]?.end ?? 0);
  });
});
