import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { hostNames } from '../../src/routes/refuse-foreign-hosts.js';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { openOrchestrator } from '../support/open-orchestrator.js';

const local = ['localhost', '127.0.0.1', '[::1]', '::1'];

describe('the accepted host names', () => {
  it.each([
    ['the local ones on a local address', '127.0.0.1', [], local],
    ['the local ones on another local address', '127.0.0.2', [], local],
    ['the local ones on a short form of a local address', '127.1', [], local],
    [
      'the local and the allowed ones on a local address',
      'LOCALHOST',
      ['Plan.Internal'],
      [...local, 'plan.internal'],
    ],
    [
      'the local and the allowed ones on any other address',
      '0.0.0.0',
      ['a.example'],
      [...local, 'a.example'],
    ],
  ])('are %s', (_, host, allowedHosts, names) => {
    expect([...(hostNames(host, { allowedHosts }) ?? [])]).toEqual(names);
  });

  it.each([
    ['https://Plan.Example:8443/agents', 'plan.example'],
    ['http://[fd00::1]:80', '[fd00::1]'],
  ])('include the host of the public URL %s', (publicUrl, name) => {
    const extra = { publicUrl, allowedHosts: ['a.example'] };
    expect([...(hostNames('127.0.0.1', extra) ?? [])]).toEqual([...local, 'a.example', name]);
    expect([...(hostNames('0.0.0.0', extra) ?? [])]).toEqual([...local, 'a.example', name]);
  });

  it('are unlimited on any other address without allowed names', () => {
    expect(hostNames('0.0.0.0', { allowedHosts: [] })).toBeUndefined();
    expect(hostNames('0.0.0.0', { allowedHosts: [], publicUrl: 'https://plan.example' })).toBeUndefined();
  });
});

describe('a request', () => {
  it.each([
    ['a foreign host name', 'rebound.example', '/sessions', [403, 'HOST_FORBIDDEN']],
    ['a foreign host name and a port', 'rebound.example:80', '/sessions', [403, 'HOST_FORBIDDEN']],
    ['a name that only begins like a local one', 'localhost.example', '/sessions', [403, 'HOST_FORBIDDEN']],
    [
      'a name that only begins like a local address',
      '127.0.0.2.example',
      '/sessions',
      [403, 'HOST_FORBIDDEN'],
    ],
    ['a local host name in capitals', 'LOCALHOST:80', '/sessions', [200, undefined]],
    ['another local address', '127.0.0.2:80', '/sessions', [200, undefined]],
    ['an allowed host name', 'plan.example', '/sessions', [200, undefined]],
    ['a foreign host name to a route without a key', 'rebound.example', '/health', [200, undefined]],
  ])('with %s is answered accordingly', async (_, host, path, answered) => {
    const { orchestrator } = await openOrchestrator({
      planner: offlinePlanner(),
      allowedHosts: ['plan.example'],
    });
    const authorization = `Bearer ${orchestrator.apiKey}`;
    const asked = get(`${orchestrator.url}${path}`, { headers: { host, authorization }, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const body = (await json(response)) as { error?: { code: string }; code?: string };
    expect([response.statusCode, body.error?.code ?? body.code]).toEqual(answered);
  });
});
