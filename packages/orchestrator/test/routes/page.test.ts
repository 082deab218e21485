import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pageHtml } from '../../src/page/page-html.js';
import { pageScript } from '../../src/page/page-script.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';

it('serves the page to a caller with a key, with only its own script and style', async () => {
  const { orchestrator } = await openOrchestrator({});
  const authorization = `Basic ${Buffer.from(`:${orchestrator.apiKey}`).toString('base64')}`;
  const response = await fetch(`${orchestrator.url}/`, { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  const nonce = /script-src 'nonce-(\w+)'/.exec(policy)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  const html = await response.text();
  const tags = [...html.matchAll(/<(?:script|style)[^>]*>/g)].map(([tag]) => tag);
  expect(tags).toEqual([`<style nonce="${nonce}">`, `<script nonce="${nonce}">`]);
  expect(html).not.toContain(orchestrator.apiKey);
});

it('brings its own icon: its policy blocks the one that browsers ask for by themselves', async () => {
  const { orchestrator } = await openOrchestrator({});
  const authorization = `Bearer ${orchestrator.apiKey}`;
  const response = await fetch(`${orchestrator.url}/`, { headers: { authorization } });
  expect(await response.text()).toContain('<link rel="icon" href="data:,">');
  expect(response.headers.get('content-security-policy')).toContain('; img-src data:;');
});

it('asks a browser without a key for one', async () => {
  const { orchestrator } = await openOrchestrator({});
  const response = await fetch(`${orchestrator.url}/`);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="svc", charset="UTF-8"');
});

it('has a script that parses and writes no markup', () => {
  expect(() => new Function(pageScript)).not.toThrow();
  expect(pageScript).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
});

const chromium = '/usr/bin/chromium';
/** The main part of a page, after its script has run. */
async function show(url: string): Promise<string> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=10000', '--dump-dom'];
  const { stdout } = await promisify(execFile)(chromium, [...flags, url]);
  return /<main[\s\S]*<\/main>/.exec(stdout)?.[0] ?? '';
}

// Needs Chromium, which must be installed in CI.
describe.skipIf(!existsSync(chromium) && !process.env['CI'])('the page in a browser', () => {
  it('lists sessions and shows one run’s timeline', async () => {
    const planner = scriptedPlanner(() => [call(['t-pay', { note: '<b>bold</b>' }]), finish('Paid.')]);
    const { orchestrator, client } = await openOrchestrator({ planner });
    const session = await client.start(request('go', [toolSpec('pay', { note: { type: 'string' } })]));
    await client.follow(session, { pay: () => 1 });
    const page = `${orchestrator.url.replace('//', `//me:${orchestrator.apiKey}@`)}/`;
    const list = await show(page);
    expect(list).toContain(`<a href="#${session.session_id}">${session.session_id}</a>`);
    expect(list).toContain('completed');
    const timeline = await show(`${page}#${session.session_id}`);
    expect(timeline).toContain('pay(note)');
    expect(timeline).toContain('&lt;b&gt;bold');
    expect(timeline).not.toContain('<b>');
    expect(timeline).not.toMatch(/<(summary|th)><\//);
    expect(await show(`${page}#%`)).toContain('<p role="alert">Failed: ');
    // A bookmark of a session that has expired leads back to the others.
    expect(await show(`${page}#gone`)).toMatch(
      /^<main id="view"><a href="#">All sessions<\/a><p role="alert">Failed/,
    );
  }, 60_000);

  it.each([
    ['sess_1', '<h2 tabindex="-1" data-focused="">sess_1</h2>'],
    ['gone', '<p role="alert" tabindex="-1" data-focused="">Failed: '],
  ])(
    'gives the focus to what is opened, and does not read whole tables out: %s',
    async (id, focused) => {
      const item = { session_id: id, agent_name: 'clerk', status: 'completed', pending_calls: [] };
      const bodies: Record<string, object> = {
        '/sessions?limit=50': { items: [item], next_cursor: null },
        '/sessions/sess_1': item,
        '/sessions/sess_1/events': { items: [] },
      };
      const open = `<script nonce="n">
      const opened = setInterval(() => {
        const link = document.querySelector('td a');
        if (link) [link.focus(), link.click()];
        if (link || !document.querySelector('main a')) return;
        clearInterval(opened);
        document.activeElement.setAttribute('data-focused', '');
      }, 50);
    </script>`;
      const server = createServer(({ url = '' }, response) => {
        const body = bodies[url];
        response.setHeader('content-type', body ? 'application/json' : 'text/html');
        response.end(body ? JSON.stringify(body) : pageHtml('n') + open);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      onTestFinished(() => void server.close());
      const shown = await show(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(shown).toContain(focused);
      expect(shown).not.toContain('aria-live');
    },
    60_000,
  );

  it.each(['/plan/', '/plan'])(
    'shows sessions behind a proxy that serves it at %s',
    async (path) => {
      const { orchestrator, client } = await openOrchestrator({
        planner: scriptedPlanner(() => [finish('Done.')]),
      });
      const session = await client.start(request('go'));
      await client.follow(session);
      const proxy = createServer((incoming, response) => {
        if (!incoming.url?.startsWith('/plan')) return void response.writeHead(404).end('{}');
        const url = orchestrator.url + (incoming.url.slice('/plan'.length) || '/');
        const { headers } = incoming;
        httpRequest(url, { headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }).end();
      });
      await new Promise<void>((resolve) => {
        proxy.listen(0, '127.0.0.1', resolve);
      });
      onTestFinished(() => void proxy.close());
      const { port } = proxy.address() as AddressInfo;
      const page = `http://me:${orchestrator.apiKey}@127.0.0.1:${port}${path}`;
      expect(await show(page)).toContain(session.session_id);
      expect(await show(`${page}#${session.session_id}`)).toContain('final');
    },
    60_000,
  );
});
