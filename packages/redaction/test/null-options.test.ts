import { describe, expect, it } from 'vitest';
import { createHeldBackText, createTextRedactor, createValueMatcher, redactTexts } from '../src/index.js';

/** What JavaScript callers and parsed JSON may pass for an absent value. */
const nothing = null as never;
const pin = [{ name: 'pin', value: '4711-0815' }];
const mail = 'Mail john@example.com';

describe('null counts as absent', () => {
  it.each<[string, () => unknown, unknown]>([
    ['as the options of redactTexts', () => redactTexts([mail], nothing).texts, ['Mail {_{pii_email_1}_}']],
    [
      'as the private data and rules of a text redactor',
      () => createTextRedactor(nothing).redact([mail], nothing).texts,
      ['Mail {_{pii_email_1}_}'],
    ],
    [
      'as the options of a matcher',
      () => createValueMatcher(pin, nothing).replace('is 4711-0815'),
      'is {_{pin}_}',
    ],
    [
      'as the replacement of a matcher',
      () => createValueMatcher(pin, { replacement: nothing }).replace('is 4711-0815'),
      'is {_{pin}_}',
    ],
    [
      'as the state of a held-back text',
      () => createHeldBackText(createValueMatcher(pin), nothing).push('is 4711-0815!'),
      'is {_{pin}_}!',
    ],
  ])('%s', (_what, given, expected) => {
    expect(given()).toEqual(expected);
  });
});
