import { describe, expect, it } from 'vitest';
import { createHeldBackText, createTextRedactor, createValueMatcher, redactTexts } from '../src/index.js';

/** What JavaScript callers and parsed JSON give where a type says that there is nothing. */
const nothing = null as never;
const pin = [{ name: 'pin', value: '4711-0815' }];
const mail = 'Mail john@example.com';

describe('null is as absent', () => {
  it.each<[string, () => unknown, unknown]>([
    ['as options of redactTexts', () => redactTexts([mail], nothing).texts, ['Mail {_{pii_email_1}_}']],
    [
      'as rules of a text redactor',
      () => createTextRedactor(nothing).redact([mail], nothing).texts,
      ['Mail {_{pii_email_1}_}'],
    ],
    [
      'as options of a matcher',
      () => createValueMatcher(pin, nothing).replace('is 4711-0815'),
      'is {_{pin}_}',
    ],
    [
      'as a replacement',
      () => createValueMatcher(pin, { replacement: nothing }).replace('is 4711-0815'),
      'is {_{pin}_}',
    ],
    [
      'as the state of a text in chunks',
      () => createHeldBackText(createValueMatcher(pin), nothing).push('is 4711-0815!'),
      'is {_{pin}_}!',
    ],
  ])('%s', (_what, given, expected) => {
    expect(given()).toEqual(expected);
  });
});
