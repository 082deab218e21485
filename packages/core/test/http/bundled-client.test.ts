import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { sourceCondition } from '../../../../tooling/vitest.ts';
import { ApiKey } from '../../src/config/api-key.js';
import type * as Bundled from '../../src/http/http-client.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

it('sends requests from an application that was bundled into chunks, together with the HTTP library', async () => {
  await using server = await startServer((_request, response) => response.end('{"ok":true}'));
  const folder = await mkdtemp(join(tmpdir(), 'svc-bundle-'));
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/http/http-client.ts', import.meta.url))],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      conditions: [sourceCondition],
      banner: { js: "import * as m from 'node:module'; const require = m.createRequire(import.meta.url);" },
    });
    const bundled: unknown = await import(pathToFileURL(join(folder, 'http-client.mjs')).href);
    const { HttpClient } = bundled as typeof Bundled;
    const http = new HttpClient({
      baseUrl: server.url,
      apiKey: new ApiKey('a-key', 'the test'),
      runtime: quickRuntime(),
    });
    expect(await http.request({ method: 'GET', target: '/x', schema: z.unknown() })).toEqual({ ok: true });
    await http.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
