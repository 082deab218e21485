import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

/** The packages that an entry imports statically (`atOnce`) and dynamically (`later`). */
async function importsOf(entry: string): Promise<{ atOnce: string[]; later: string[] }> {
  const { metafile } = await build({
    entryPoints: [`${root}src/${entry}.ts`],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const of = (kind: string) => [
    ...new Set(imports.filter((one) => one.kind === kind).map(({ path }) => path)),
  ];
  return { atOnce: of('import-statement'), later: of('dynamic-import') };
}

it.each(['index', 'mcp'])("the entry '%s' imports the MCP library only dynamically", async (entry) => {
  const { atOnce, later } = await importsOf(entry);
  const isOfMcp = (path: string) => /modelcontextprotocol|cross-spawn/.test(path);
  expect(atOnce.filter(isOfMcp)).toEqual([]);
  expect(later.filter(isOfMcp)).toContain('@modelcontextprotocol/sdk/client/index.js');
});

it("the entry 'index' imports the HTTP library only dynamically", async () => {
  const { atOnce, later } = await importsOf('index');
  expect(atOnce.filter((path) => path.startsWith('undici'))).toEqual([]);
  // Bun answers the bare name with a module of its own.
  expect(later.filter((path) => path.startsWith('undici'))).toEqual(['undici/index.js']);
});

it("the entry 'scheduling' does not import node:sqlite, which would print a warning", async () => {
  const { atOnce } = await importsOf('scheduling');
  expect(atOnce).not.toContain('node:sqlite');
  expect(atOnce).toContain('croner');
});
