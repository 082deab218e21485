import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/config/errors.js';
import {
  PermissionFlag,
  PermissionSet,
  permissionTags,
  requirePermissions,
} from '../../src/tools/permissions.js';

const { READ, WRITE, DELETE, EXPORT, IMPORT, ADMIN } = PermissionFlag;

describe('a permission set', () => {
  const left = new PermissionSet([READ, WRITE]);
  const right = new PermissionSet([WRITE, DELETE]);

  it('is joined and intersected', () => {
    expect(left.union(right).toList()).toEqual(['read', 'write', 'delete']);
    expect(left.intersection(right).toList()).toEqual(['write']);
    expect(left.includes(READ, DELETE)).toBe(false);
    expect(left.equals([WRITE, READ])).toBe(true);
    expect(left.equals([READ])).toBe(false);
    expect(new PermissionSet([DELETE, READ]).toList()).toEqual(['read', 'delete']);
    expect(JSON.stringify(PermissionSet.all())).toContain('impersonate');
  });

  it('is compared with one kind of work, with several, and with another set', () => {
    expect(left.includes(READ)).toBe(true);
    expect(left.includes(left)).toBe(true);
    expect(left.includes([READ, WRITE])).toBe(true);
    expect(left.includes(READ, right)).toBe(false);
    expect(left.includes()).toBe(true);
    expect(new PermissionSet([READ]).equals(READ)).toBe(true);
    expect(left.equals(READ)).toBe(false);
    expect(left.union(DELETE).toList()).toEqual(['read', 'write', 'delete']);
    expect(left.intersection(WRITE).toList()).toEqual(['write']);
  });

  it('shows what it holds where it is printed', () => {
    expect(inspect({ permissions: left })).toBe("{ permissions: PermissionSet [ 'read', 'write' ] }");
  });

  it('has no implied permissions', () => {
    expect(new PermissionSet([ADMIN]).includes(READ)).toBe(false);
  });

  it.each([
    [[ADMIN], true, true],
    [[DELETE], true, true],
    [[IMPORT], true, true],
    [[EXPORT], false, false],
    [[WRITE], false, true],
    [[READ], false, false],
    [[], false, false],
  ] as const)('%j: destructive %j, writing %j', (names, isDestructive, isWriting) => {
    const set = new PermissionSet(names);
    expect([set.isDestructive, set.isWriting, set.isEmpty]).toEqual([
      isDestructive,
      isWriting,
      names.length === 0,
    ]);
  });

  it('refuses unknown names, all of them, in order', () => {
    const make = () => PermissionSet.fromNames(['red', 'read', 'foo']);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/Unknown permission: foo, red\./);
  });

  it.each<[string, (set: PermissionSet) => unknown]>([
    ['joined with nothing', (set) => set.union(null as never)],
    ['met with a number', (set) => set.intersection(5 as never)],
    ['compared with an unknown name', (set) => set.equals(['red' as never])],
    ['asked for an unknown name', (set) => set.includes('red' as never)],
    ['asked for nothing', (set) => set.includes(undefined as never)],
  ])('cannot be %s', (_name, use) => {
    expect(() => use(new PermissionSet([READ]))).toThrow(
      expect.objectContaining({ code: 'CONFIG_UNKNOWN_PERMISSION' }),
    );
  });

  it('gives tags for planners', () => {
    expect(permissionTags(new PermissionSet([READ, DELETE]))).toEqual(['read', 'delete', 'destructive']);
  });
});

it('requirePermissions names only what is missing', () => {
  requirePermissions([READ, DELETE], [READ]);
  requirePermissions(READ, READ);
  const require = () => requirePermissions([READ], [READ, DELETE]);
  expect(require).toThrow(
    expect.objectContaining({ code: 'PERMISSION_MISSING', message: 'Missing permission: delete.' }),
  );
});
