import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g;

/** Returns the modules and packages that an entry loads at run time, without type imports. */
function loadedBy(entry: string) {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    for (const [, typeOnly, specifier, dynamic] of readFileSync(path, 'utf8').matchAll(importPattern)) {
      const target = specifier ?? dynamic ?? '';
      if (typeOnly) continue;
      if (target.startsWith('.')) visit(join(dirname(path), target.replace(/\.js$/, '.ts')));
      else packages.add(target);
    }
  };
  visit(join(source, entry));
  return { files: [...files].map((path) => relative(source, path)), packages: [...packages] };
}

describe('the entries for browsers', () => {
  it.each(['sse.ts', 'event-names.ts', 'sdk-error.ts'])('%s loads no package, so no zod', (entry) => {
    expect(loadedBy(entry).packages).toEqual([]);
  });

  it('are checked by a walk that finds zod where it is used', () => {
    expect(loadedBy('v1.ts').packages).toEqual(['zod']);
    expect(loadedBy('v1.ts').files).toContain('families/tool-event.ts');
    expect(loadedBy('sse.ts').files).toEqual(['sse.ts', 'sse/encode-frame.ts']);
  });
});
