import { describe, expect, it } from 'vitest';
import { readFixedKey, readScope, type KeyScope } from '../../src/keys/key-scope.js';

const canary = 'svc_canary_key';

/** What a caller without types can pass. */
const wrongScopes: [what: string, option: string, given: object][] = [
  ['a mistyped field', 'operation', { project: 'shop', operation: ['read'] }],
  ['several unknown fields', 'role, ttl', { project: 'shop', role: 'x', ttl: 1 }],
  ['no project', 'project', {}],
  ['an empty project', 'project', { project: ' ' }],
  ['a project of two lines', 'project', { project: 'shop\nother' }],
  ['a project with half a character', 'project', { project: 'shop\ud800' }],
  ['a project that no address can name', 'project', { project: '..' }],
  ['a project of a longer name than addresses have', 'project', { project: 'x'.repeat(201) }],
  ['an organization with a tab', 'organization', { project: 'shop', organization: 'ac\tme' }],
  ['an empty organization', 'organization', { project: 'shop', organization: '' }],
  ['an unknown operation', 'operations', { project: 'shop', operations: ['run', 'write'] }],
  ['no operation', 'operations', { project: 'shop', operations: [] }],
  ['operations that are no list', 'operations', { project: 'shop', operations: 'run' }],
];

const refusal = (option: string) => ({
  code: 'CONFIG_INVALID_OPTION',
  message: expect.stringMatching(`\`${option}\`.*run, read, memory, administration, metrics`),
  details: { option },
});

describe('what a key is made with', () => {
  it('is a project, perhaps its organization, and each operation once', () => {
    const scope = { project: 'shop', organization: 'acme', operations: ['metrics', 'run', 'run'] } as const;
    expect(readScope(scope)).toEqual({ ...scope, operations: ['run', 'metrics'] });
    expect(readScope({ project: 'shop' })).toEqual({ project: 'shop' });
  });

  it.each(['.well-known', '...', '日'.repeat(200)])('may have a project by the name %s', (project) => {
    expect(readScope({ project })).toEqual({ project });
  });

  it.each(wrongScopes)('is refused with %s, which is named', (_, option, given) => {
    expect(() => readScope(given as KeyScope)).toThrow(expect.objectContaining(refusal(option)));
  });

  it.each([undefined, null, 'shop', ['shop']])('is refused when it is %j', (given) => {
    const refused = () => readScope(given as unknown as KeyScope);
    expect(refused).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
  });
});

describe('a key of the options', () => {
  it('is the key and its scope', () => {
    const given = { key: canary, project: 'shop', operations: ['read'] } as const;
    expect(readFixedKey(given)).toEqual(given);
  });

  it.each([...wrongScopes, ['an id of its own', 'keyId', { project: 'shop', keyId: 'in-process' }] as const])(
    'is refused with %s, and not repeated',
    (_, option, given) => {
      const refused = () => readFixedKey({ key: canary, ...given } as never);
      expect(refused).toThrow(expect.objectContaining(refusal(option)));
      expect(refused).not.toThrow(canary);
    },
  );

  it.each([undefined, 7, null])('is refused without a text as its key: %j', (key) => {
    const refused = () => readFixedKey({ key, project: 'shop' } as never);
    expect(refused).toThrow(expect.objectContaining(refusal('key')));
  });
});
