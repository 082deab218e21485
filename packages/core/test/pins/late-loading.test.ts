import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packageImports } from '../../../../tooling/package-imports.ts';

const importsOf = (entry: string) =>
  packageImports(fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url)));

it.each(['index', 'mcp'])("the entry '%s' imports the MCP library only dynamically", async (entry) => {
  const { atOnce, later } = await importsOf(entry);
  const isOfMcp = (path: string) => /modelcontextprotocol|cross-spawn/.test(path);
  expect(atOnce.filter(isOfMcp)).toEqual([]);
  expect(later.filter(isOfMcp)).toContain('@modelcontextprotocol/client');
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
