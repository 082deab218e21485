import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
let published = '';

/** Compiles the modules as they are published: `modules()` of tooling/tsup.ts. */
beforeAll(async () => {
  published = await mkdtemp(join(tmpdir(), 'client-'));
  await build({ entryPoints: [`${root}src/**/*`], outdir: published, format: 'esm', target: 'es2023' });
});

afterAll(async () => rm(published, { recursive: true }));

/** Bundles entries of the package as a page would ship them. */
async function bundle(...entries: string[]): Promise<{ text: string; bytes: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: entries.map((entry) => `export * from './${entry}.js';`).join(' '),
      resolveDir: published,
    },
    nodePaths: [`${root}node_modules`],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['react'],
    write: false,
    metafile: true,
  });
  const text = outputFiles[0]?.text ?? '';
  return { text, bytes: gzipSync(text, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
}

describe('the bundle of a page', () => {
  it('keeps the client within 6 kB, minified and compressed', async () => {
    const { bytes } = await bundle('index');
    console.info(`client: ${bytes} B`);
    expect(bytes).toBeLessThanOrEqual(6_000);
  });

  it.each([
    ['react', 1_500],
    ['shared', 3_000],
  ])('grows with the %s entry by at most %i bytes', async (entry, ceiling) => {
    const alone = await bundle('index');
    const both = await bundle('index', entry);
    console.info(`${entry}: ${both.bytes - alone.bytes} B more`);
    expect(both.bytes - alone.bytes).toBeLessThanOrEqual(ceiling);
  });

  it.each(['index', 'react', 'shared'])(
    'contains neither zod nor Node code with the %s entry',
    async (entry) => {
      const { text, inputs } = await bundle(entry);
      expect(inputs.filter((path) => /zod|node_modules\/(?!.*eventsource-parser)/.test(path))).toEqual([]);
      expect(text.match(/["']node:[a-z]+|\bprocess\.\w+|\bBuffer\.\w+|\brequire\(/g)).toBeNull();
    },
  );

  it('marks the react entry as code of the client, for frameworks with server components', async () => {
    expect(await readFile(join(published, 'react.js'), 'utf8')).toMatch(/^"use client";/);
  });
});
