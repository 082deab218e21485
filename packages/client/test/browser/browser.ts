import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { startMountedServer } from '../mounted-server.js';

const executablePath = '/usr/bin/chromium';
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whether there is no browser to test with. Always false if `CI` is set. */
export const hasNoBrowser = !existsSync(executablePath) && !process.env['CI'];
if (hasNoBrowser) console.warn(`No browser at ${executablePath}: skipping the browser tests`);

/** Starts an app that serves the event streams, and a page with this script bundled from our sources. */
export async function servePage(script: string) {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'tsx' },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    conditions: ['@svc/source'],
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
  });
  let connections = 0;
  const server = await startMountedServer((app) => {
    app.get('/', (_, reply) =>
      reply.type('text/html').send('<!doctype html><div id="root"></div><script src="/script.js"></script>'),
    );
    app.get('/script.js', (_, reply) => reply.type('text/javascript').send(outputFiles[0]?.text));
    app.addHook('onRequest', async ({ url }, { raw }) => {
      if (!url.startsWith('/svc/')) return;
      connections += 1;
      raw.once('close', () => (connections -= 1));
    });
  });
  return { ...server, connections: () => connections };
}

/** Starts a real browser. */
export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
    // Pages that are left stay in the back/forward cache, as they do for users.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const context = await browser.newContext();
  return {
    async newPage(url: string): Promise<Page> {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
    },
  };
}
