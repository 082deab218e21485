import { describe, expect, it } from 'vitest';
import { hostNames } from '../../src/routes/refuse-foreign-hosts.js';

const local = ['localhost', '127.0.0.1', '[::1]', '::1'];

describe('the names under which an orchestrator answers', () => {
  it.each([
    ['the local ones on a local address', '127.0.0.1', [], local],
    ['those too that are allowed there', 'LOCALHOST', ['Plan.Internal'], [...local, 'plan.internal']],
    ['only those that are allowed on any other address', '0.0.0.0', ['a.example'], [...local, 'a.example']],
  ])('are %s', (_, host, extra, names) => {
    expect([...(hostNames(host, extra) ?? [])]).toEqual(names);
  });

  it('are all on another address, when none is said', () => {
    expect(hostNames('0.0.0.0', [])).toBeUndefined();
  });
});
