import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../../src/planning/policy/parse-answer.js';

describe('parseAnswer', () => {
  it.each([
    ['boolean', 'YES', { ok: true, value: true }],
    ['boolean', 'n', { ok: true, value: false }],
    ['boolean', true, { ok: true, value: true }],
    ['boolean', 'maybe', { ok: false, problem: '"maybe" is neither yes nor no.' }],
    ['number', ' 1 000 ', { ok: true, value: 1000 }],
    ['number', '{_{pin}_}', { ok: true, value: '{_{pin}_}' }],
    ['number', '1_000', { ok: true, value: 1000 }],
    ['number', '_', { ok: false, problem: '"_" is not a number.' }],
    ['number', 'NaN', { ok: false, problem: '"NaN" is not a number.' }],
    ['choice', 'eur', { ok: true, value: 'EUR' }],
    ['choice', 'GBP', { ok: false, problem: '"GBP" is none of: EUR, USD.' }],
    ['text', ' hi ', { ok: true, value: 'hi' }],
    ['text', '', { ok: true, value: null }],
    ['boolean', null, { ok: true, value: null }],
  ] as const)('reads the %s answer %j', (input_type, raw, parsed) => {
    const question = { question_id: 'q', prompt: '?', input_type, choices: ['EUR', 'USD'] };
    expect(parseAnswer(question, raw)).toEqual(parsed);
  });
});
