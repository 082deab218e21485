import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../../src/planning/policy/parse-answer.js';

describe('parseAnswer', () => {
  it.each([
    ['boolean', 'YES', true],
    ['boolean', 'n', false],
    ['boolean', true, true],
    ['boolean', 'maybe', undefined],
    ['number', ' 1 000 ', 1000],
    ['number', '{_{pin}_}', '{_{pin}_}'],
    ['number', '1_000', 1000],
    ['number', '_', undefined],
    ['number', 'NaN', undefined],
    ['choice', 'eur', 'EUR'],
    ['choice', 'GBP', undefined],
    ['text', ' hi ', 'hi'],
    ['text', '', null],
    ['boolean', null, null],
  ] as const)('reads the %s answer %j', (input_type, raw, value) => {
    const question = { question_id: 'q', prompt: '?', input_type, choices: ['EUR', 'USD'] };
    expect(parseAnswer(question, raw)).toBe(value);
  });
});
