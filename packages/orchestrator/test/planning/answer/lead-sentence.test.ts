import type { JsonObject, JsonValue } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { leadSentence } from '../../../src/planning/answer/lead-sentence.js';

const commits = {
  commits: [
    { commit: 'a1', date: '2026-03-01', author: 'Ada', subject: 'Fix it' },
    { commit: 'b2', date: '2026-02-01', author: 'Bob', subject: 'Begin' },
  ],
};
const lead = (text: string, value: JsonValue, args: JsonObject = {}, limit?: number) =>
  leadSentence(value, { text, args, ...(limit === undefined ? {} : { limit }) });

describe('leadSentence', () => {
  it.each<[string, JsonValue, string | undefined]>([
    ['Who changed it last?', commits, '**Ada** (commit a1, date 2026-03-01, subject “Fix it”).'],
    ['Which author was it?', commits, '**Ada** (commit a1, date 2026-03-01, subject “Fix it”).'],
    ['Who are the authors?', commits, '**Ada** (1), **Bob** (1).'],
    [
      'Who are the authors?',
      [{ author: 'Bob' }, { author: 'Ada' }, { author: 'Ada' }],
      '**Ada** (2), **Bob** (1).',
    ],
    ['When did it change?', commits, '**2026-03-01** (commit a1, author Ada, subject “Fix it”).'],
    ['How many lines does it have?', { path: 'a.ts', lines: 5 }, '`a.ts`: **5** lines.'],
    ['How many lines are there?', { path: '.', lines: 5 }, '**5** lines.'],
    ['How many matches?', { total: 9, matches: [{}] }, '**9** matches.'],
    ['How many commits are there?', commits, '**2** commits.'],
    ['How many are there?', commits, '**2**.'],
    ['How much is order A-17?', { id: 'A-17', total: 12.5 }, '`A-17`: **12.5**.'],
    ['How much does order A-17 cost?', { id: 'A-17', total: 12.5 }, '`A-17`: **12.5**.'],
    ['How much are the tickets?', [{ price: 5 }, { price: 9 }], undefined],
    ['Count the TypeScript lines', { files: 1, lines: 5 }, '**5** lines.'],
    [
      'Which file is the largest?',
      [
        { path: 'a.ts', bytes: 9 },
        { path: 'b.ts', bytes: 1 },
      ],
      'The largest is `a.ts` (9 bytes).',
    ],
    ['What are the largest files?', [{ path: 'a.ts', bytes: 9 }], undefined],
    ['Show the commits', commits, undefined],
    ['Who?', 5, undefined],
  ])('reads the question: %s', (text, value, expected) => {
    expect(lead(text, value)).toBe(expected);
  });

  it('reports the length of a full list as a lower bound', () => {
    expect(lead('How many commits?', commits, { limit: 2 })).toBe('At least **2** commits.');
    expect(lead('How many commits?', commits, {}, 2)).toBe('At least **2** commits.');
    expect(lead('How many commits?', commits, {}, 10)).toBe('**2** commits.');
  });

  it.each(['Who was it?', 'Who are the authors?', 'Which file is the largest?', 'How many are there?'])(
    'is short, however long its names: %s',
    (text) => {
      const name = '`x'.repeat(200_000);
      expect(lead(text, [{ path: name, author: name }])?.length).toBeLessThan(1000);
      expect(lead(text, { path: name, total: 5 })?.length ?? 0).toBeLessThan(1000);
    },
  );

  it('lists the fields of a result only for a question that needs them, and once', () => {
    let listings = 0;
    const file: Record<string, string> = { path: 'a.ts', language: 'TypeScript' };
    const result = new Proxy(file, {
      ownKeys(target) {
        listings += 1;
        return Reflect.ownKeys(target);
      },
    });
    expect(lead('Show the file', result)).toBeUndefined();
    expect(listings).toBe(0);
    expect(lead('Which file is the largest?', result)).toBeUndefined();
    expect(listings).toBe(1);
  });
});
