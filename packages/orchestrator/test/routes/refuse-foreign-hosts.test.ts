import { describe, expect, it } from 'vitest';
import { hostNames } from '../../src/routes/refuse-foreign-hosts.js';

const local = ['localhost', '127.0.0.1', '[::1]', '::1'];

describe('the accepted host names', () => {
  it.each([
    ['the local ones on a local address', '127.0.0.1', [], local],
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
