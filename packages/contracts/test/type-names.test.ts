import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const entry = join(import.meta.dirname, '../src/v1.ts');
const compiler = join(import.meta.dirname, '../../../node_modules/.bin/tsc');

it('the compiler shows the main types by name, not by their fields', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-type-names-'));
  try {
    const names = ['AppEvent', 'EventEnvelope', 'RawSSEEvent', 'ToolDescriptor', 'InterruptDescriptor'];
    const file = join(folder, 'use.mts');
    const uses = names.map((name) => `export const a${name}: ${name} = 5;`);
    writeFileSync(file, [`import type { ${names.join(', ')} } from '${entry}';`, ...uses].join('\n'));
    const flags = '--noEmit --strict --module nodenext --allowImportingTsExtensions --skipLibCheck';
    const { stdout } = spawnSync(compiler, [...flags.split(' '), file], { cwd: folder, encoding: 'utf8' });
    expect(stdout.match(/assignable to type '.*/g)).toEqual(
      names.map((name) => `assignable to type '${name}'.`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
