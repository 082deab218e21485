import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('docs/reference/errors.md lists exactly the error codes of this package', () => {
  const codes = read('../../src/errors.ts').match(/EVENT_[A-Z_]+/g) ?? [];
  const [, section = ''] = read('../../../../docs/reference/errors.md').split('## @svc/events');
  expect([...new Set(section.match(/EVENT_[A-Z_]+/g))].toSorted()).toEqual([...new Set(codes)].toSorted());
});
