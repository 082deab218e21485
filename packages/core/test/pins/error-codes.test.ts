import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const CODE =
  /['`]((?:AUTH|CONFIG|DEPENDENCY|HTTP|INTERRUPT|MCP|PERMISSION|RUN|SCHEDULE|SWARM|TOOL)_[A-Z_]*[A-Z])['`]/g;

function codesIn(text: string): string[] {
  return [...text.matchAll(CODE)].map(([, code = '']) => code);
}

const sources = globSync('src/**/*.ts', { cwd: root.pathname })
  .filter((path) => !path.startsWith('src/testing/'))
  .flatMap((path) => codesIn(readFileSync(new URL(path, root), 'utf8')));
const page = readFileSync(new URL('../../docs/reference/errors.md', root), 'utf8');
const section = page.slice(page.indexOf('## @svc/core')).split(/\n## /)[0] ?? '';

const documented = [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = '']) => code);

it('every error code in the sources is documented, and no other', () => {
  expect(documented.toSorted()).toEqual([...new Set(sources)].toSorted());
});
