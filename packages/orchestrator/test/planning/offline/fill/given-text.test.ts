import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { givenText } from '../../../../src/planning/offline/fill/given-text.js';

it.each<[string, Record<string, JsonValue>, string | undefined]>([
  ['no results', {}, undefined],
  [
    'an agent’s response rather than its result',
    { writer: { response: ' Hello. ', result: { a: 1 } } },
    'Hello.',
  ],
  ['an agent’s response without a result', { writer: { response: 'Hello.' } }, 'Hello.'],
  [
    'an agent’s result if its response is blank',
    { writer: { response: ' ', result: { city: 'Ghent' } } },
    '- **city**: Ghent',
  ],
  ['an agent’s result without a response', { writer: { result: { city: 'Ghent' } } }, '- **city**: Ghent'],
  ['a tool result', { find: { city: 'Ghent' } }, '- **city**: Ghent'],
  [
    'several results under their names',
    { find_it: { city: 'Ghent' }, writer: { response: 'Hello.' } },
    '### find it\n\n- **city**: Ghent\n\n### writer\n\nHello.',
  ],
])('converts to text: %s', (_, given, text) => {
  expect(givenText(new Map(Object.entries(given)))).toBe(text);
});
