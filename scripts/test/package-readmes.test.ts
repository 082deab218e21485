import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it.each(globSync('packages/*/README.md', { cwd: root }))(
  '%s links to no file outside its package, which would be missing once it is published',
  (path) => {
    expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/\]\((?:\.\.\/|\/)/);
  },
);
