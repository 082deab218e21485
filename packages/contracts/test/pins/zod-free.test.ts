import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g;

/** Every module an entry loads when it runs (type imports are gone by then), and every package among them. */
function reached(entry: string) {
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

describe('what browsers load', () => {
  it.each(['sse.ts', 'event-names.ts', 'sdk-error.ts'])(
    '%s reaches no package at all, so no zod',
    (entry) => {
      expect(reached(entry).packages).toEqual([]);
    },
  );

  it('is found by a walk that does find zod where it is', () => {
    expect(reached('v1.ts').packages).toEqual(['zod']);
    expect(reached('v1.ts').files).toContain('families/tool-event.ts');
    expect(reached('sse.ts').files).toEqual(['sse.ts', 'sse/encode-frame.ts']);
  });
});
