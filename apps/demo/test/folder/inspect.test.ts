import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLines, largestFiles, listFiles, readFilePart, searchFiles } from '../../src/folder/inspect.js';
import { countTextLines, maxTextBytes } from '../../src/folder/read-text.js';
import { git, temporaryFolder } from './temporary-folder.js';

const files = {
  'README.md': '# Hello\n\nworld\n',
  'src/a.ts': 'export const hello = 1;\n',
  'src/b.ts': 'x\ny',
  '.env': 'HELLO=canary\n',
  'data.bin': 'hello\0',
};

describe.each([
  ['a plain folder', async () => temporaryFolder(files)],
  [
    'a git checkout',
    async () => {
      const folder = await temporaryFolder({
        ...files,
        '.gitignore': 'ignored.txt\n',
        'ignored.txt': 'hello\n',
      });
      git(folder.root, 'init', '-q');
      git(folder.root, 'add', 'src', '.gitignore');
      return folder;
    },
  ],
])('in %s', (_, create) => {
  it('lists files, without secret ones', async () => {
    await using folder = await create();
    const { files: found } = await listFiles({ limit: 100 }, { root: folder.root });
    expect(found).toEqual(expect.arrayContaining(['README.md', 'src/a.ts', 'src/b.ts']));
    expect(found.join()).not.toMatch(/\.env|ignored|\.git\//);
    expect(await listFiles({ folder: 'src', extension: 'TS', limit: 1 }, { root: folder.root })).toEqual({
      folder: 'src',
      total: 2,
      files: ['src/a.ts'],
    });
  });
  it('lists neither symlinks nor deleted files', async () => {
    await using folder = await create();
    await symlink('/etc/hosts', join(folder.root, 'link.md'));
    await rm(join(folder.root, 'src/b.ts'));
    const { files: found } = await listFiles({ limit: 100 }, { root: folder.root });
    expect(found).toContain('README.md');
    expect(found).not.toContain('link.md');
    expect(found).not.toContain('src/b.ts');
  });
  it('finds text in any case, with line numbers, but not in secret files, symlinks or binaries', async () => {
    await using folder = await create();
    await symlink('.env', join(folder.root, 'link.md'));
    const { matches, total } = await searchFiles({ query: 'HELLO', limit: 10 }, { root: folder.root });
    expect(matches).toEqual([
      { path: 'README.md', line: 1, text: '# Hello' },
      { path: 'src/a.ts', line: 1, text: 'export const hello = 1;' },
    ]);
    expect(total).toBe(2);
  });
  it('counts the lines of a file and of a folder by extension', async () => {
    await using folder = await create();
    expect(await countLines({ path: 'README.md' }, { root: folder.root })).toEqual({
      path: 'README.md',
      lines: 3,
    });
    expect(await countLines({ path: 'src' }, { root: folder.root })).toEqual({
      path: 'src',
      files: 2,
      lines: 3,
      by_extension: [{ extension: '.ts', files: 2, lines: 3 }],
    });
  });
  it('counts the files of a folder that has only one', async () => {
    await using folder = await create();
    await rm(join(folder.root, 'src/b.ts'));
    expect(await countLines({ path: 'src' }, { root: folder.root })).toMatchObject({ files: 1, lines: 1 });
  });
  it('orders files by size', async () => {
    await using folder = await create();
    const { files: found } = await largestFiles({ limit: 2, extension: 'ts' }, { root: folder.root });
    expect(found).toEqual([
      { path: 'src/a.ts', bytes: 24 },
      { path: 'src/b.ts', bytes: 3 },
    ]);
  });
  it('reads part of a file, and refuses a secret file', async () => {
    await using folder = await create();
    expect(
      await readFilePart({ path: 'README.md', fromLine: 3, lineCount: 1 }, { root: folder.root }),
    ).toMatchObject({ text: 'world', total_lines: 3 });
    await expect(
      readFilePart({ path: '.env', fromLine: 1, lineCount: 1 }, { root: folder.root }),
    ).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });
});

it.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
])('countTextLines(%j) is %i', (text, lines) => expect(countTextLines(text)).toBe(lines));

it('searchFiles rejects when its signal is aborted', async () => {
  await using folder = await temporaryFolder(files);
  await expect(
    searchFiles({ query: 'x', limit: 1 }, { root: folder.root, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ name: 'AbortError' });
});

it.each(['large.txt', 'data.bin', 'src', 'pipe'])(
  '%s is not shown, and no search waits for it',
  async (path) => {
    await using folder = await temporaryFolder({ ...files, 'large.txt': 'hello\n'.padEnd(maxTextBytes + 1) });
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder.root, 'pipe')]);
    await expect(
      readFilePart({ path, fromLine: 1, lineCount: 1 }, { root: folder.root }),
    ).rejects.toMatchObject({ code: 'FILE_NOT_TEXT' });
    const { matches } = await searchFiles({ query: 'hello', limit: 10 }, { root: folder.root });
    expect(matches.map((match) => match.path)).toEqual(['README.md', 'src/a.ts']);
  },
);
