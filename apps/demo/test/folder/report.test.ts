import { createHmac } from 'node:crypto';
import { access, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportFileName, signText, writeReport } from '../../src/folder/report.js';
import { temporaryFolder } from './temporary-folder.js';

it('signs with HMAC-SHA256', () => {
  expect(signText('text', 'key')).toBe(createHmac('sha256', 'key').update('text').digest('hex'));
});
it.each([
  ['Largest files', 'largest-files.md'],
  ['../../etc/passwd', 'etc-passwd.md'],
  ['', 'report.md'],
  ['a'.repeat(90), `${'a'.repeat(60)}.md`],
])('turns the title %j into a plain file name', (title, name) => expect(reportFileName(title)).toBe(name));
it('writes into the reports folder', async () => {
  await using folder = await temporaryFolder({});
  const written = await writeReport({
    reportsFolder: join(folder.root, 'reports'),
    title: 'My report',
    text: 'hello',
  });
  expect(written).toEqual({ file: 'my-report.md', bytes: 5 });
  expect(await readFile(join(folder.root, 'reports/my-report.md'), 'utf8')).toBe('hello');
});
it('does not write through a symlink that leads out of the folder', async () => {
  await using folder = await temporaryFolder({ 'reports/keep.md': '', 'target.txt': 'untouched' });
  await symlink('../target.txt', join(folder.root, 'reports/x.md'));
  await expect(
    writeReport({ reportsFolder: join(folder.root, 'reports'), title: 'x', text: 'evil' }),
  ).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  expect(await readFile(join(folder.root, 'target.txt'), 'utf8')).toBe('untouched');
});
it('does not create a file through a symlink whose target does not exist yet', async () => {
  await using folder = await temporaryFolder({ 'reports/keep.md': '' });
  await symlink('../planted.txt', join(folder.root, 'reports/x.md'));
  await expect(
    writeReport({ reportsFolder: join(folder.root, 'reports'), title: 'x', text: 'evil' }),
  ).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  await expect(access(join(folder.root, 'planted.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
});
