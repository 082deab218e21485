import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';

const program = `
  import { chaosProxy, describeEventLog } from './testing.mjs';
  const proxy = await chaosProxy('http://127.0.0.1:9', () => ({}));
  await proxy.close();
  try {
    describeEventLog('a log', async () => ({}));
  } catch (error) {
    console.log(error.message);
  }
`;

it('can be imported without Vitest: only describeEventLog needs it', async () => {
  // No package can be found from this folder.
  const folder = await mkdtemp(join(tmpdir(), 'svc-testing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/testing.ts', import.meta.url))],
    outfile: join(folder, 'testing.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  await writeFile(join(folder, 'program.mjs'), program);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')]);
  expect(stdout).toBe('describeEventLog needs Vitest: install vitest as a development dependency\n');
});
