import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confine, isSecretPath } from '../../src/folder/confine.js';
import { readText } from '../../src/folder/read-text.js';
import { temporaryFolder } from './temporary-folder.js';

describe('isSecretPath', () => {
  it.each([
    '.env',
    '.env.local',
    'a/.env.production',
    'prod.env',
    '.git/config',
    'sub/.git/HEAD',
    '.GIT/config',
    'server.pem',
    'a/id_rsa',
    'id_ed25519.pub',
    'tls.key',
    '.npmrc',
    'credentials.json',
    'aws-secrets.yaml',
    '.env::$DATA',
    '.env:x.example',
    '.env.example.local',
    'config.example/.env',
    'tls.key. .',
    '.git::$INDEX_ALLOCATION/config',
    '.git./config',
  ])('hides %s', (path) => expect(isSecretPath(path)).toBe(true));
  it.each([
    'README.md',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.env.example',
    'src/environment.ts',
    'src/secret.ts',
    'keys.ts',
  ])('shows %s', (path) => expect(isSecretPath(path)).toBe(false));
});

describe('confine', () => {
  it('returns the path inside the folder', async () => {
    await using folder = await temporaryFolder({ 'a/b.txt': 'x' });
    expect((await confine(folder.root, './a/../a/b.txt')).relative).toBe('a/b.txt');
    expect((await confine(folder.root, '.')).relative).toBe('.');
  });
  it.each([
    '../outside.txt',
    '/etc/passwd',
    'a/../../outside.txt',
    '.env',
    'a/.git/config',
    'missing.txt',
    'a\0b',
  ])('refuses %j', async (path) => {
    await using folder = await temporaryFolder({ 'a/b.txt': 'x', '.env': 'KEY=1' });
    await expect(confine(folder.root, path)).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });
  it('does not reveal what exists outside the folder', async () => {
    await using folder = await temporaryFolder({ 'a.txt': 'x' });
    for (const path of ['/etc/hosts', '../nowhere.txt'])
      await expect(confine(folder.root, path)).rejects.toThrow('is outside the folder');
  });
  it('refuses a symlink that leads outside, at the end of a path or within it', async () => {
    await using outside = await temporaryFolder({ 'outside.txt': 'canary' });
    await using folder = await temporaryFolder({ 'a.txt': 'x' });
    await symlink(join(outside.root, 'outside.txt'), join(folder.root, 'link.txt'));
    await symlink(outside.root, join(folder.root, 'linked'));
    await expect(readText(folder.root, 'link.txt')).rejects.toMatchObject({ code: 'PATH_REFUSED' });
    await expect(readText(folder.root, 'linked/outside.txt')).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });
  it('refuses a symlink to a secret file inside the folder', async () => {
    await using folder = await temporaryFolder({ '.env': 'KEY=canary' });
    await symlink('.env', join(folder.root, 'plain.txt'));
    await expect(readText(folder.root, 'plain.txt')).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });
});
