import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { BridgeRegistry, EventBridge } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import { build } from 'esbuild';
import Fastify from 'fastify';
import { chromium, type Page } from 'playwright-core';

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
  const registry = new BridgeRegistry();
  const app = Fastify({ forceCloseConnections: true });
  let connections = 0;
  app.get('/', (_, reply) =>
    reply.type('text/html').send('<!doctype html><div id="root"></div><script src="/script.js"></script>'),
  );
  app.get('/script.js', (_, reply) => reply.type('text/javascript').send(outputFiles[0]?.text));
  app.addHook('onRequest', async ({ url }, { raw }) => {
    if (!url.startsWith('/svc/')) return;
    connections += 1;
    raw.once('close', () => (connections -= 1));
  });
  mountEvents(app, { registry, authorize: () => true });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    bridge: (sessionId: string) => registry.getOrCreate(sessionId, () => new EventBridge(sessionId)),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      await app.close();
      await registry.close();
    },
  };
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
