import { describe, expect, it } from 'vitest';
import { checkPackage, findLoop, importsOf } from '../arrows.ts';

const check = (files: Record<string, string>, name = '@svc/events') =>
  checkPackage(
    name,
    ['index.ts'],
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );

describe('importsOf', () => {
  it.each([
    ["import { a } from './a.js';", ['./a.js']],
    ["import type { A } from './a.js';", ['./a.js']],
    ["export { a } from '../a.js';", ['../a.js']],
    ["import './side.js';", ['./side.js']],
    ["const m = await import('x');", ['x']],
    ["import {\n  a,\n  b,\n} from './long.js';", ['./long.js']],
    ["// import { a } from './comment.js';", []],
  ])('reads %j', (text, expected) => expect(importsOf(text)).toEqual(expected));
});

describe('checkPackage', () => {
  it('accepts imports that point down', () => {
    expect(
      check({ 'a/x.ts': "import { y } from '../b/y.js';", 'b/y.ts': "import '@svc/contracts';" }),
    ).toEqual([]);
  });
  it.each([
    [
      'an import of a package that is not allowed',
      { 'a.ts': "import '@svc/core';" },
      'must not import @svc/core',
    ],
    ['an import by its own name', { 'a.ts': "import '@svc/events';" }, 'imports its own package by name'],
    [
      'an import of its own entry',
      { 'index.ts': "export { a } from './a.js';", 'a.ts': "import './index.js';" },
      'own package',
    ],
    [
      'a loop of type imports',
      { 'a.ts': "import type { B } from './b.js';", 'b.ts': "import type { A } from './a.js';" },
      'import loop',
    ],
    [
      'a loop of folders without a loop of files',
      { 'a/1.ts': "import '../b/1.js';", 'b/1.ts': '', 'b/2.ts': "import '../a/2.js';", 'a/2.ts': '' },
      'folder loop',
    ],
    [
      'a loop of nested folders',
      {
        'a/b/1.ts': "import '../c/1.js';",
        'a/c/1.ts': '',
        'a/c/2.ts': "import '../b/2.js';",
        'a/b/2.ts': '',
      },
      'folder loop a/b -> a/c -> a/b',
    ],
    ['a long file', { 'a.ts': '\n'.repeat(301) }, '301 lines'],
    ['a folder with a vague name', { 'utils/a.ts': '' }, 'the name is too vague'],
  ])('finds %s', (_, files, problem) => {
    expect(check(files as Record<string, string>).join('\n')).toContain(problem);
  });
});

it('findLoop returns undefined for a graph without loops', () => {
  expect(
    findLoop(
      new Map([
        ['a', new Set(['b', 'c'])],
        ['b', new Set(['c'])],
      ]),
    ),
  ).toBeUndefined();
});
