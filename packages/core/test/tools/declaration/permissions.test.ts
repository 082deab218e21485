import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/config/errors.js';
import {
  PermissionFlag,
  PermissionSet,
  permissionTags,
  requirePermissions,
} from '../../../src/tools/declaration/permissions.js';

const { READ, WRITE, DELETE, EXPORT, IMPORT, ADMIN } = PermissionFlag;

describe('a permission set', () => {
  const left = new PermissionSet([READ, WRITE]);
  const right = new PermissionSet([WRITE, DELETE]);

  it('has unions, intersections and comparisons', () => {
    expect(left.union(right).toList()).toEqual(['read', 'write', 'delete']);
    expect(left.intersection(right).toList()).toEqual(['write']);
    expect(left.includes(READ, DELETE)).toBe(false);
    expect(left.equals([WRITE, READ])).toBe(true);
    expect(left.equals([READ])).toBe(false);
    expect(new PermissionSet([DELETE, READ]).toList()).toEqual(['read', 'delete']);
    expect(JSON.stringify(PermissionSet.all())).toContain('impersonate');
  });

  it('accepts a single permission, a list or another set in its methods', () => {
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

  it('shows its permissions when it is inspected', () => {
    expect(inspect({ permissions: left })).toBe("{ permissions: PermissionSet [ 'read', 'write' ] }");
  });

  it('does not imply other permissions', () => {
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
  ] as const)('of %j is destructive: %j, writing: %j', (names, isDestructive, isWriting) => {
    const set = new PermissionSet(names);
    expect([set.isDestructive, set.isWriting, set.isEmpty]).toEqual([
      isDestructive,
      isWriting,
      names.length === 0,
    ]);
  });

  it('refuses unknown names and lists all of them, sorted', () => {
    const make = () => PermissionSet.fromNames(['red', 'read', 'foo']);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/Unknown permission: foo, red\./);
  });

  it.each<[string, (set: PermissionSet) => unknown]>([
    ['the union with null', (set) => set.union(null as never)],
    ['the intersection with a number', (set) => set.intersection(5 as never)],
    ['a comparison with an unknown name', (set) => set.equals(['red' as never])],
    ['a check for an unknown name', (set) => set.includes('red' as never)],
    ['a check for undefined', (set) => set.includes(undefined as never)],
  ])('refuses %s', (_name, use) => {
    expect(() => use(new PermissionSet([READ]))).toThrow(
      expect.objectContaining({ code: 'CONFIG_UNKNOWN_PERMISSION' }),
    );
  });

  it('provides tags for planners', () => {
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
