import { expect, it } from 'vitest';
import { escapeText } from '../../../src/planning/answer/markdown.js';

it.each([
  ['a_b *c* [d](e) <f>', 'a\\_b \\*c\\* \\[d\\](e) \\<f\\>'],
  ['Mail {_{pii_email_1}_} and {_card_} now_', 'Mail {_{pii_email_1}_} and {_card_} now\\_'],
  ['{_{[a](x)}_}', '{\\_{\\[a\\](x)}\\_}'],
  ['{_{<b>', '{\\_{\\<b\\>'],
])('escapeText(%j)', (text, escaped) => expect(escapeText(text)).toBe(escaped));
