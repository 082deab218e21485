// Runs publint and are-the-types-wrong on each package as it would be published, and require() on every entry.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

interface Manifest {
  name: string;
  exports: Record<string, unknown>;
  bin?: Record<string, string>;
}

/** Packages that pages import: their types need neither Node nor more of the standard library than a page's project has. */
const forPages = new Set(['@svc/client', '@svc/contracts', '@svc/redaction']);
const pageProject =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --module preserve --lib es2022,dom --types';

/** Packages of a backend whose types, and those of their dependencies, need no more than Node's. */
const forBackends = new Set(['@svc/core', '@svc/events', '@svc/fastify', '@svc/redis']);
const backendProject =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --module nodenext --target es2022 --lib es2022 --types node';

/** A server's project: the whole standard library, and Node. */
const serverProject =
  '--noEmit --strict --skipLibCheck false --module nodenext --target esnext --lib esnext,dom,dom.iterable --types node';

const folder = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8' });
let failed = false;
try {
  failed = !isSmallInPages() || !doDeclarationsCompile();
  for (const manifest of globSync('packages/*/package.json').toSorted()) {
    const root = resolve(manifest, '..');
    const { name, exports, bin = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    const packed = execFileSync('pnpm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const tarball = (JSON.parse(packed) as { filename: string }).filename;
    const results = [
      run('publint', ['run', '--strict', '--pack', 'pnpm', root]),
      run('attw', [
        '--profile',
        'esm-only',
        '--no-emoji',
        '--exclude-entrypoints',
        'schemas/*',
        '--format',
        'ascii',
        resolve(folder, tarball),
      ]),
    ];
    // A CommonJS caller gets the same modules by require(). The test suites run in Vitest, which can only be imported.
    const entries = Object.entries(exports).filter(
      ([path, target]) => typeof target === 'object' && path !== './testing',
    );
    for (const [path] of entries) {
      const code = `const entry = require('${name}${path.slice(1)}'); if (Object.keys(entry).length === 0) process.exit(1);`;
      results.push(
        spawnSync(process.execPath, ['--no-warnings', '-e', code], { encoding: 'utf8', cwd: root }),
      );
    }
    for (const program of Object.values(bin))
      results.push(run(process.execPath, [resolve(root, program), 'version']));
    if (forPages.has(name))
      results.push(run('tsc', [...pageProject.split(' '), '', ...globSync(`${root}/dist/*.d.ts`)]));
    if (forBackends.has(name))
      results.push(run('tsc', [...backendProject.split(' '), ...globSync(`${root}/dist/*.d.ts`)]));
    const broken = results.filter((result) => result.status !== 0);
    console.log(`${name}: ${broken.length === 0 ? 'ready to publish' : 'not ready to publish'}`);
    for (const result of broken) console.error(result.stdout, result.stderr);
    failed ||= broken.length > 0;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;

/** Our declarations must not refer to anything marked internal, which is stripped. Errors in other packages are ignored. */
function doDeclarationsCompile(): boolean {
  const declarations = globSync('packages/*/dist/*.d.ts');
  const { stdout } = run('tsc', [...serverProject.split(' '), ...declarations]);
  const faults = stdout
    .split('\n')
    .filter((line) => /error TS/.test(line) && !line.startsWith('node_modules/'));
  if (declarations.length > 0 && faults.length === 0) return true;
  console.error('Declarations that do not compile:', faults.join('\n'));
  return false;
}

/** A page that uses one name of the contract must not bundle the schemas and all of zod. */
function isSmallInPages(): boolean {
  const { outputFiles } = buildSync({
    stdin: {
      contents: "import { TOOL_EVENT_NAME } from '@svc/contracts'; console.log(TOOL_EVENT_NAME);",
      resolveDir: resolve('packages/client'),
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const bytes = outputFiles[0]?.contents.length ?? 0;
  if (bytes > 0 && bytes < 2_000) return true;
  console.error(
    `A page that uses one name of @svc/contracts must bundle less than 2,000 bytes of it, got ${bytes}`,
  );
  return false;
}
