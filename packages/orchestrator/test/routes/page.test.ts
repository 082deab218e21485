import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { pageScript } from '../../src/page/page-script.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';

it('is shown to whoever has a key, with scripts and styles of its own only', async () => {
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

it('asks a browser for the key', async () => {
  const { orchestrator } = await openOrchestrator({});
  const response = await fetch(`${orchestrator.url}/`);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="svc", charset="UTF-8"');
});

it('runs a script that parses and writes no markup', () => {
  expect(() => new Function(pageScript)).not.toThrow();
  expect(pageScript).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
});

const chromium = '/usr/bin/chromium';
// Needs Chromium; in CI it has to be there.
it.skipIf(!existsSync(chromium) && !process.env['CI'])(
  'lists sessions and shows one run’s timeline',
  async () => {
    const planner = scriptedPlanner(() => [call(['t-pay', { note: '<b>bold</b>' }]), finish('Paid.')]);
    const { orchestrator, client } = await openOrchestrator({ planner });
    const session = await client.start(request('go', [toolSpec('pay', { note: { type: 'string' } })]));
    await client.follow(session, { pay: () => 1 });
    const show = async (hash: string) => {
      const url = `${orchestrator.url.replace('//', `//me:${orchestrator.apiKey}@`)}/#${hash}`;
      const flags = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--virtual-time-budget=10000',
        '--dump-dom',
      ];
      const { stdout } = await promisify(execFile)(chromium, [...flags, url]);
      return /<main[\s\S]*<\/main>/.exec(stdout)?.[0] ?? '';
    };
    const list = await show('');
    expect(list).toContain(`<a href="#${session.session_id}">${session.session_id}</a>`);
    expect(list).toContain('completed');
    const timeline = await show(session.session_id);
    expect(timeline).toContain('pay(note)');
    expect(timeline).toContain('&lt;b&gt;bold');
    expect(timeline).not.toContain('<b>');
    expect(await show('%')).toContain('<p role="alert">Failed: ');
  },
  60_000,
);
