import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { givenText } from '../../../src/planning/offline/given-text.js';

it.each<[string, Record<string, JsonValue>, string | undefined]>([
  ['nothing', {}, undefined],
  ['what an agent says', { writer: { response: ' Hello. ', result: { a: 1 } } }, 'Hello.'],
  ['what it said alone', { writer: { response: 'Hello.' } }, 'Hello.'],
  [
    'what it found when it says nothing',
    { writer: { response: ' ', result: { city: 'Ghent' } } },
    '- **city**: Ghent',
  ],
  ['what it found alone', { writer: { result: { city: 'Ghent' } } }, '- **city**: Ghent'],
  ['a result as it is', { find: { city: 'Ghent' } }, '- **city**: Ghent'],
  [
    'several under their names',
    { find_it: { city: 'Ghent' }, writer: { response: 'Hello.' } },
    '### find it\n\n- **city**: Ghent\n\n### writer\n\nHello.',
  ],
])('what others found is told as a text: %s', (_, given, text) => {
  expect(givenText(new Map(Object.entries(given)))).toBe(text);
});
