import { expect, it } from 'vitest';
import { readRequest } from '../../../../src/planning/offline/mentions/request.js';
import { planContext } from '../../plan-fixtures.js';

it('a long request is not cut within an emoji', () => {
  const content = `${'a'.repeat(3_999)}😀`;
  const said = { role: 'user', content } as const;
  const { text, earlierText } = readRequest({ ...planContext({}), messages: [said, said], turn_start: 1 });
  expect([text, earlierText]).toEqual(['a'.repeat(3_999), 'a'.repeat(3_999)]);
});
