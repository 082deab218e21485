import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real folder with files, removed when it goes out of scope. */
export async function temporaryFolder(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

/** Runs git in a folder with a fixed author and date. */
export function git(root: string, ...args: string[]) {
  const identity = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.test',
    '-c',
    'init.defaultBranch=main',
  ];
  const date = '2026-01-02T03:04:05Z';
  execFileSync('git', [...identity, ...args], {
    cwd: root,
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
}
