import { access, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportAudit } from '../../src/agents/report-hooks.js';
import { temporaryFolder } from '../folder/temporary-folder.js';

const written = { result: { file: 'x.md' }, targetId: 'call-1' } as Parameters<
  ReturnType<typeof reportAudit>
>[0];

it('adds a line to the log of the reports folder, but not through a link', async () => {
  await using folder = await temporaryFolder({ 'reports/x.md': '', 'linked/x.md': '' });
  await reportAudit(join(folder.root, 'reports'))(written);
  expect(await readFile(join(folder.root, 'reports/audit.log'), 'utf8')).toMatch(/^\S+ call-1 x\.md\n$/);

  await symlink('../planted.log', join(folder.root, 'linked/audit.log'));
  await expect(reportAudit(join(folder.root, 'linked'))(written)).rejects.toMatchObject({
    code: 'PATH_REFUSED',
  });
  await expect(access(join(folder.root, 'planted.log'))).rejects.toMatchObject({ code: 'ENOENT' });
});
