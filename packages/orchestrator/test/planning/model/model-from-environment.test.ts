import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { modelFromEnvironment } from '../../../src/planning/model/model-from-environment.js';

async function withModule(source: string, use: (path: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-model-'));
  try {
    const path = join(folder, 'model.mjs');
    await writeFile(path, source);
    await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('modelFromEnvironment', () => {
  it('returns no model if SVC_MODEL is unset or blank', async () => {
    await expect(modelFromEnvironment({})).resolves.toBeUndefined();
    await expect(modelFromEnvironment({ SVC_MODEL: '  ', SVC_MODEL_API_KEY: 'k' })).resolves.toBeUndefined();
  });

  it('returns an OpenAI-compatible model, which needs no key', async () => {
    const model = await modelFromEnvironment({
      SVC_MODEL: 'llama3',
      SVC_MODEL_BASE_URL: 'http://127.0.0.1:11434/v1',
    });
    expect(model).toMatchObject({ modelId: 'llama3' });
  });

  it('returns an Anthropic model for the prefix "anthropic:"', async () => {
    const model = await modelFromEnvironment({ SVC_MODEL: 'anthropic:claude-x', SVC_MODEL_API_KEY: 'k' });
    expect(model).toMatchObject({ modelId: 'claude-x', provider: expect.stringContaining('anthropic') });
  });

  it('returns the default export of a module, given as a path or a URL', async () => {
    await withModule(
      'export default { specificationVersion: "v4", modelId: "mine", doStream() {} };',
      async (path) => {
        for (const SVC_MODEL of [path, pathToFileURL(path).href])
          await expect(modelFromEnvironment({ SVC_MODEL })).resolves.toMatchObject({ modelId: 'mine' });
      },
    );
  });

  it.each([
    'export default 1;',
    'export const model = 1;',
    'export default null;',
    'export default {};',
    'export default { doStream() {} };',
  ])('rejects a module that exports no model: %s', async (code) => {
    await withModule(code, async (path) => {
      await expect(modelFromEnvironment({ SVC_MODEL: path })).rejects.toMatchObject({
        code: 'PLANNER_CONFIGURATION',
      });
    });
  });

  it.each([
    ['throw new TypeError("secret-1");', 'TypeError'],
    ['throw Object.assign(new Error("secret-1"), { code: "ENOENT" });', 'ENOENT'],
    ['throw "secret-1";', 'string'],
  ])('says why a module cannot be loaded, but not in its words: %s', async (code, why) => {
    await withModule(code, async (path) => {
      await expect(modelFromEnvironment({ SVC_MODEL: path })).rejects.toThrow(
        `The module "${path}" in SVC_MODEL cannot be loaded (${why}). Check the path, which is relative to the working directory, and run the file with node to see the whole error.`,
      );
    });
  });

  it.each([
    ['a missing base URL', { SVC_MODEL: 'gpt-x', SVC_MODEL_API_KEY: 'secret-1' }, 'SVC_MODEL_BASE_URL'],
    [
      'an invalid base URL',
      { SVC_MODEL: 'gpt-x', SVC_MODEL_BASE_URL: 'nonsense', SVC_MODEL_API_KEY: 'secret-1' },
      'SVC_MODEL_BASE_URL',
    ],
    [
      'a base URL that is not HTTP',
      { SVC_MODEL: 'gpt-x', SVC_MODEL_BASE_URL: 'ftp://x/secret-1' },
      'not an HTTP URL',
    ],
    [
      'a base URL with a password',
      { SVC_MODEL: 'gpt-x', SVC_MODEL_BASE_URL: 'http://ada:secret-1@x/v1' },
      'SVC_MODEL_API_KEY',
    ],
    [
      'a base URL with only a password',
      { SVC_MODEL: 'gpt-x', SVC_MODEL_BASE_URL: 'http://:secret-1@x/v1' },
      'SVC_MODEL_API_KEY',
    ],
    [
      'an invalid base URL for Anthropic',
      { SVC_MODEL: 'anthropic:x', SVC_MODEL_BASE_URL: 'secret-1', SVC_MODEL_API_KEY: 'secret-1' },
      'SVC_MODEL_BASE_URL',
    ],
    ['a missing key for Anthropic', { SVC_MODEL: 'anthropic:x' }, 'SVC_MODEL_API_KEY'],
    ['a missing module', { SVC_MODEL: './nowhere.mjs' }, 'nowhere.mjs'],
  ])('explains how to fix %s, without showing the key', async (_case, environment, text) => {
    const error = await modelFromEnvironment(environment).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PLANNER_CONFIGURATION', message: expect.stringContaining(text) });
    expect(String(error)).not.toContain('secret-1');
  });

  it('tells bundlers to leave the import of the module, whose path only the environment knows', async () => {
    const source = new URL('../../../src/planning/model/model-from-environment.ts', import.meta.url);
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(source)],
      bundle: true,
      format: 'esm',
      packages: 'external',
      write: false,
    });
    // webpack and Rspack replace any other import of an expression by one that always fails.
    expect(outputFiles[0]?.text).toMatch(/import\(\s*\/\* webpackIgnore: true \*\/\s*\w+\s*\)/);
  });
});
