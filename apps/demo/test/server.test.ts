import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemo } from '../src/create-demo.js';
import { DemoSettingError, readEnvironment } from '../src/environment.js';
import { offlinePlanner } from '@svc/orchestrator';
import { post } from './read-session.js';
import { startDemo } from './start-demo.js';

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

/** `fetch` does not let a caller choose `Host`. */
function statusWithHost(url: string, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(`${url}/api/sessions`, { headers: { host } }, (response) =>
    resolve(response.resume().statusCode ?? 0),
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('the API', () => {
  it.each([
    ['no message', {}, 'BODY_INVALID'],
    ['an empty message', { message: '  ' }, 'BODY_INVALID'],
    ['a message that is not a string', { message: 1 }, 'BODY_INVALID'],
    ['an unknown mode', { message: 'x', mode: 'army' }, 'BODY_INVALID'],
    ['an unknown field', { message: 'x', extra: 1 }, 'BODY_INVALID'],
    ['broken JSON', '{"message"', 'BODY_NOT_JSON'],
    ['an array', '[]', 'BODY_INVALID'],
    ['an empty body', '', 'BODY_INVALID'],
  ])('refuses %s with 400', async (_, body, code) => {
    const answer = await post(`${demo.url}/api/runs`, body);
    expect(answer).toEqual({ status: 400, body: { code, message: expect.any(String) } });
  });
  it('refuses a body that is not JSON', async () => {
    const answer = await post(`${demo.url}/api/runs`, 'message=x', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BODY_NOT_JSON' } });
  });
  it.each(['json', ';', 'application/json,text/plain'])('refuses the content type %j', async (type) => {
    const answer = await post(`${demo.url}/api/runs`, { message: 'x' }, { 'content-type': type });
    expect(answer).toEqual({ status: 400, body: { code: 'BODY_NOT_JSON', message: expect.any(String) } });
  });
  it.each(['answers', 'cancel'])('answers 404 for an unknown session (%s)', async (action) => {
    const answer = await post(`${demo.url}/api/runs/unknown/${action}`, { interrupt_id: 'x', value: 1 });
    expect(answer).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    expect((await post(`${demo.url}/api/runs`, { message: 'x', session_id: 'unknown' })).status).toBe(404);
  });
  it('answers 404 for the stream of an unknown session', async () => {
    const answer = await fetch(`${demo.url}/svc/events/unknown`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

describe('the server', () => {
  it('answers only under its own host names', async () => {
    const { port } = new URL(demo.url);
    expect(await statusWithHost(demo.url, `localhost:${port}`)).toBe(200);
    expect(await statusWithHost(demo.url, `evil.example:${port}`)).toBe(403);
    expect(await statusWithHost(demo.url, `127.0.0.1.evil.example:${port}`)).toBe(403);
  });
  // `127.2` stands for 127.0.0.2, as a name stands for an address, and the server prints the address.
  it.each(['::1', '0.0.0.0', '::', '127.2'])(
    'answers under the address it prints for HOST=%s',
    async (host) => {
      await using other = await startDemo({ host });
      expect((await fetch(`${other.url}/api/sessions`)).status).toBe(200);
      const { port } = new URL(other.url);
      expect(await statusWithHost(other.url, `${host.includes(':') ? `[${host}]` : host}:${port}`)).toBe(200);
      expect(await statusWithHost(other.url, `evil.example:${port}`)).toBe(403);
    },
  );
  it('refuses pages of another origin, on every route', async () => {
    const { port } = new URL(demo.url);
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${Number(port) + 1}`])
      for (const path of ['/api/sessions', '/svc/events/s1'])
        expect((await fetch(`${demo.url}${path}`, { headers: { origin } })).status).toBe(403);
    expect((await fetch(`${demo.url}/api/sessions`, { headers: { origin: demo.url } })).status).toBe(200);
  });
  it('forbids foreign content and framing at every path', async () => {
    for (const path of ['/', '/api/sessions', '/nothing']) {
      const { headers } = await fetch(`${demo.url}${path}`);
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "img-src 'self' data:", "frame-ancestors 'none'"]),
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
  it('binds to loopback by default, and reports an invalid or taken port', async () => {
    const environment = readEnvironment({}, '/tmp');
    expect(environment).toMatchObject({ host: '127.0.0.1', port: 3000 });
    expect(readEnvironment({ HOST: '0.0.0.0', PORT: '0' }, '/tmp')).toMatchObject({
      host: '0.0.0.0',
      port: 0,
    });
    expect(() => readEnvironment({ PORT: 'x' }, '/tmp')).toThrow(DemoSettingError);
    const port = Number(new URL(demo.url).port);
    await expect(createDemo({ ...environment, port, planner: offlinePlanner() })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
