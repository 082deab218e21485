import { describe, expect, it } from 'vitest';
import { readFixedKey, readScope, type KeyScope } from '../../src/keys/key-scope.js';

const canary = 'svc_canary_key';

/** What a caller without types can pass. */
const wrongScopes: [what: string, option: string, given: object][] = [
  ['a misspelled field', 'operation', { project: 'shop', operation: ['read'] }],
  ['several unknown fields', 'role, ttl', { project: 'shop', role: 'x', ttl: 1 }],
  ['no project', 'project', {}],
  ['a blank project', 'project', { project: ' ' }],
  ['a project with a line break', 'project', { project: 'shop\nother' }],
  ['a project with an unpaired surrogate', 'project', { project: 'shop\ud800' }],
  ['a project that no URL path can contain', 'project', { project: '..' }],
  ['a project of more than 200 characters', 'project', { project: 'x'.repeat(201) }],
  ['an organization with a tab', 'organization', { project: 'shop', organization: 'ac\tme' }],
  ['an empty organization', 'organization', { project: 'shop', organization: '' }],
  ['an unknown operation', 'operations', { project: 'shop', operations: ['run', 'write'] }],
  ['an empty list of operations', 'operations', { project: 'shop', operations: [] }],
  ['operations that are not an array', 'operations', { project: 'shop', operations: 'run' }],
];

const refusal = (option: string) => ({
  code: 'CONFIG_INVALID_OPTION',
  message: expect.stringMatching(`\`${option}\`.*run, read, memory, administration, metrics`),
  details: { option },
});

describe('the scope of a key', () => {
  it('is a project, an optional organization, and each operation once', () => {
    const scope = { project: 'shop', organization: 'acme', operations: ['metrics', 'run', 'run'] } as const;
    expect(readScope(scope)).toEqual({ ...scope, operations: ['run', 'metrics'] });
    expect(readScope({ project: 'shop' })).toEqual({ project: 'shop' });
  });

  it.each(['.well-known', '...', '日'.repeat(200)])('may have the project name %s', (project) => {
    expect(readScope({ project })).toEqual({ project });
  });

  it.each(wrongScopes)('is rejected with %s, naming the field', (_, option, given) => {
    expect(() => readScope(given as KeyScope)).toThrow(expect.objectContaining(refusal(option)));
  });

  it.each([[undefined], [null], ['shop'], [['shop']]])('is rejected when it is %j', (given) => {
    const refused = () => readScope(given as unknown as KeyScope);
    expect(refused).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
  });
});

describe('a fixed key', () => {
  it('consists of the key and its scope', () => {
    const given = { key: canary, project: 'shop', operations: ['read'] } as const;
    expect(readFixedKey(given)).toEqual(given);
  });

  it.each([...wrongScopes, ['an id of its own', 'keyId', { project: 'shop', keyId: 'in-process' }] as const])(
    'is rejected with %s, without being repeated',
    (_, option, given) => {
      const refused = () => readFixedKey({ key: canary, ...given } as never);
      expect(refused).toThrow(expect.objectContaining(refusal(option)));
      expect(refused).not.toThrow(canary);
    },
  );

  it.each([undefined, 7, null])('is rejected when its key is not a string: %j', (key) => {
    const refused = () => readFixedKey({ key, project: 'shop' } as never);
    expect(refused).toThrow(expect.objectContaining(refusal('key')));
  });
});
