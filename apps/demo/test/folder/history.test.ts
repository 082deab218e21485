import { execFileSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitHistory, mostChangedFiles } from '../../src/folder/history.js';
import { listPaths } from '../../src/folder/list-paths.js';
import { git, temporaryFolder } from './temporary-folder.js';

async function checkout() {
  const folder = await temporaryFolder({ 'a.txt': '1', 'b.txt': '1', '.env': 'X=1', '--output=evil': 'x' });
  git(folder.root, 'init', '-q');
  git(folder.root, 'add', '-A');
  git(folder.root, 'commit', '-qm', 'first');
  await writeFile(join(folder.root, 'a.txt'), '2');
  await writeFile(join(folder.root, '.env'), 'X=2');
  git(folder.root, 'commit', '-qam', 'second: change a');
  return folder;
}

describe('git history', () => {
  it('lists the newest commits first, optionally by path or date', async () => {
    await using folder = await checkout();
    const { commits } = await gitHistory({ limit: 5 }, { root: folder.root });
    expect(commits.map(({ date, author, subject }) => ({ date, author, subject }))).toEqual([
      { date: '2026-01-02', author: 'Ada', subject: 'second: change a' },
      { date: '2026-01-02', author: 'Ada', subject: 'first' },
    ]);
    expect((await gitHistory({ limit: 5, path: 'b.txt' }, { root: folder.root })).commits).toHaveLength(1);
    expect((await gitHistory({ limit: 5, since: '2027-01-01' }, { root: folder.root })).commits).toEqual([]);
  });
  it('treats a path that looks like an option as a path', async () => {
    await using folder = await checkout();
    expect(
      (await gitHistory({ limit: 5, path: '--output=evil' }, { root: folder.root })).commits,
    ).toHaveLength(1);
  });
  it('treats a path with brackets as that path, not as a pattern', async () => {
    await using folder = await checkout();
    await writeFile(join(folder.root, '[ab].txt'), '1');
    git(folder.root, 'add', '-A');
    git(folder.root, 'commit', '-qm', 'third: a route');
    const { commits } = await gitHistory({ limit: 5, path: '[ab].txt' }, { root: folder.root });
    expect(commits.map(({ subject }) => subject)).toEqual(['third: a route']);
  });
  it('names files relative to a folder within a checkout', async () => {
    await using folder = await checkout();
    await mkdir(join(folder.root, 'part'));
    await writeFile(join(folder.root, 'part/c.txt'), '1');
    git(folder.root, 'add', '-A');
    git(folder.root, 'commit', '-qm', 'third: a part');
    const { files } = await mostChangedFiles({ limit: 10 }, { root: join(folder.root, 'part') });
    expect(files).toEqual([{ path: 'c.txt', commits: 1 }]);
  });
  it('counts the commits of each file, without secret files', async () => {
    await using folder = await checkout();
    const { files } = await mostChangedFiles({ limit: 10 }, { root: folder.root });
    expect(files[0]).toEqual({ path: 'a.txt', commits: 2 });
    expect(files.map((file) => file.path)).not.toContain('.env');
  });
  it('does not run the upload-pack program that a partial clone configures', async () => {
    await using folder = await checkout();
    const mark = join(folder.root, 'fetched');
    for (const [name, value] of Object.entries({
      'core.repositoryformatversion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.url': folder.root,
      'remote.origin.promisor': 'true',
      'remote.origin.uploadpack': `touch '${mark}'; false`,
    }))
      git(folder.root, 'config', name, value);
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: folder.root }).toString().trim();
    await rm(join(folder.root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    await expect(mostChangedFiles({ limit: 10 }, { root: folder.root })).rejects.toThrow('git log failed');
    await expect(access(mark)).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it('does not run the file monitor that a checkout configures', async () => {
    await using folder = await checkout();
    const mark = join(folder.root, 'watched');
    git(folder.root, 'config', 'core.fsmonitor', `touch '${mark}'; false`);
    expect(await listPaths({ root: folder.root })).toContain('a.txt');
    await gitHistory({ limit: 5 }, { root: folder.root });
    await expect(access(mark)).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it('does not run the program that a checkout configures for checking signatures', async () => {
    await using folder = await checkout();
    const cwd = folder.root;
    const mark = join(cwd, 'verified');
    await writeFile(join(cwd, 'gpg'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    git(cwd, 'config', 'gpg.program', join(cwd, 'gpg'));
    git(cwd, 'config', 'log.showSignature', 'true');
    const unsigned = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd }).toString();
    const begin = '-----BEGIN PGP SIGNATURE-----';
    const signature = `gpgsig ${begin}\n x\n ${begin.replace('BEGIN', 'END')}\n\n`;
    const hash = ['hash-object', '-t', 'commit', '-w', '--stdin'];
    const input = unsigned.replace('\n\n', `\n${signature}`);
    git(cwd, 'reset', '-q', '--hard', execFileSync('git', hash, { cwd, input }).toString().trim());
    const { commits } = await gitHistory({ limit: 1 }, { root: cwd });
    expect(commits).toMatchObject([{ subject: 'second: change a' }]);
    await expect(access(mark)).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it('refuses a path outside the folder', async () => {
    await using folder = await checkout();
    await expect(gitHistory({ limit: 1, path: '../' }, { root: folder.root })).rejects.toMatchObject({
      code: 'PATH_REFUSED',
    });
  });
});
