import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPrograms } from '../snippets/read-snippets.js';

const root = new URL('../../', import.meta.url);
const before = process.cwd();
const folder = fileURLToPath(new URL('../generated/', import.meta.url));
const guides = (await readdir(new URL('docs/guide/', root))).filter((name) => name.endsWith('.md'));
const packages = await readdir(new URL('packages/', root));
const pages = [
  ...guides.map((name) => ({ name, path: `docs/guide/${name}` })),
  ...packages.map((name) => ({ name: `README of ${name}`, path: `packages/${name}/README.md` })),
  { name: 'README', path: 'README.md' },
];
const programs = (
  await Promise.all(
    pages.map(async ({ name, path }) => {
      const codes = readPrograms(await readFile(new URL(path, root), 'utf8'));
      return codes.map(({ code, isRun }, index) => ({
        isRun,
        name: `${name}, program ${index + 1}`,
        // JSX compiles only in .tsx files.
        file: `${folder}${basename(name, '.md').replaceAll(' ', '-')}-${index + 1}.${/<\/\w+>|\/>/.test(code) ? 'tsx' : 'ts'}`,
        code,
      }));
    }),
  )
).flat();

const tsconfig = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    noEmit: true,
    types: ['node'],
    jsx: 'react-jsx',
    noUnusedLocals: false,
    noUnusedParameters: false,
    lib: [
      'es2024',
      'esnext.disposable',
      'esnext.decorators',
      'esnext.iterator',
      'dom',
      'dom.iterable',
      'dom.asynciterable',
    ],
  },
  include: ['.'],
};

describe('the guides and the READMEs', () => {
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}tsconfig.json`, JSON.stringify(tsconfig));
    await Promise.all(programs.map(({ file, code }) => writeFile(file, code)));
    // Files that a guide writes land in the same folder and are removed with it.
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true, force: true });
  });

  it('have snippets', () => expect(programs.length).toBeGreaterThan(0));
  it('have snippets that compile', async () => {
    const outcome = await promisify(execFile)('tsc', ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(outcome.stdout).toBe('');
  });
  it.each(programs.filter(({ isRun }) => isRun))('$name runs from top to bottom', async ({ file }) => {
    const silenced = (['log', 'info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    try {
      await import(/* @vite-ignore */ file);
    } finally {
      for (const spy of silenced) spy.mockRestore();
    }
  });
});
