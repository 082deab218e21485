import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

it('checks options exactly as @svc/events does', async () => {
  const ofEvents = await read('../../events/src/check-option.ts');
  const [, ...functions] = (await read('../src/check-option.ts')).split(/^(?=\/\*\*|function )/m);
  expect(functions).not.toEqual([]);
  for (const text of functions) expect(ofEvents).toContain(text.trim());
});
