import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

it('optional options accept undefined under exactOptionalPropertyTypes', async () => {
  const folder = await mkdtemp(fileURLToPath(new URL('../absent-', import.meta.url)));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const tsconfig = {
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      types: ['node'],
      exactOptionalPropertyTypes: true,
      noUnusedLocals: false,
    },
    files: ['../test/absent-options.test-d.ts'],
  };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(tsconfig));
  const { stdout } = await promisify(execFile)('tsc', ['-p', folder, '--pretty', 'false']).catch(
    (error: { stdout: string }) => error,
  );
  // The sources are compiled too and were not written for this setting.
  expect(stdout.split('\n').filter((line) => line.includes('absent-options.test-d.ts'))).toEqual([]);
});
