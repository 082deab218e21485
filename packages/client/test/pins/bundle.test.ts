import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Bundles this code as a page would ship it. */
async function bundle(code: string): Promise<{ text: string; bytes: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@svc/source'],
    external: ['react'],
    write: false,
    metafile: true,
  });
  const text = outputFiles[0]?.text ?? '';
  return { text, bytes: gzipSync(text, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
}

const client = `export * from './src/index.ts';`;

describe('the bundle of a page', () => {
  it('keeps the client within 6 kB, minified and compressed', async () => {
    const { bytes } = await bundle(client);
    console.info(`client: ${bytes} B`);
    expect(bytes).toBeLessThanOrEqual(6_000);
  });

  it.each([
    ['react', 1_500],
    ['shared', 3_000],
  ])('grows with the %s entry by at most %i bytes', async (entry, ceiling) => {
    const alone = await bundle(client);
    const both = await bundle(`${client} export * from './src/${entry}.ts';`);
    console.info(`${entry}: ${both.bytes - alone.bytes} B more`);
    expect(both.bytes - alone.bytes).toBeLessThanOrEqual(ceiling);
  });

  it.each(['index', 'react', 'shared'])(
    'contains neither zod nor Node code with the %s entry',
    async (entry) => {
      const { text, inputs } = await bundle(`export * from './src/${entry}.ts';`);
      expect(inputs.filter((path) => /zod|node_modules\/(?!.*eventsource-parser)/.test(path))).toEqual([]);
      expect(text.match(/["']node:[a-z]+|\bprocess\.\w+|\bBuffer\.\w+|\brequire\(/g)).toBeNull();
    },
  );

  it('marks the react entry as code of the client, for frameworks with server components', async () => {
    const { outputFiles } = await build({
      entryPoints: [`${root}src/react.ts`],
      bundle: true,
      conditions: ['@svc/source'],
      external: ['react'],
      format: 'esm',
      write: false,
    });
    expect(outputFiles[0]?.text).toMatch(/^"use client";\n/);
  });
});
