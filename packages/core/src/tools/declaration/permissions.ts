import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { inspect } from 'node:util';
import { ConfigurationError } from '../../config/errors.js';
import { kindOf } from '../../config/options.js';

/** The kinds of work that a tool can do. They inform the planner and the host; by themselves they enforce nothing. */
export const PermissionFlag = Object.freeze({
  READ: 'read',
  WRITE: 'write',
  DELETE: 'delete',
  EXPORT: 'export',
  IMPORT: 'import',
  ADMIN: 'admin',
  IMPERSONATE: 'impersonate',
} as const);

/** The name of a permission. */
export type PermissionName = (typeof PermissionFlag)[keyof typeof PermissionFlag];

/** One permission, or several. */
type Permissions = PermissionName | Iterable<PermissionName>;

const ORDER: readonly PermissionName[] = Object.values(PermissionFlag);
const KNOWN: ReadonlySet<string> = new Set(ORDER);
const DESTRUCTIVE: ReadonlySet<PermissionName> = new Set(['delete', 'import', 'admin', 'impersonate']);

/** A set of permissions. None includes another: `admin` does not grant `read`. */
export class PermissionSet implements Iterable<PermissionName> {
  readonly #names: ReadonlySet<PermissionName>;

  constructor(names: Iterable<PermissionName> = []) {
    const valid = new Set(checkNames(names));
    this.#names = new Set(ORDER.filter((known) => valid.has(known)));
  }

  /** Creates a set from untrusted names; the error lists unknown ones. */
  static fromNames(names: Iterable<string>): PermissionSet {
    return new PermissionSet(checkNames(names));
  }

  /** Returns a set of all permissions. */
  static all(): PermissionSet {
    return new PermissionSet(ORDER);
  }

  /** Whether the set includes all of these. */
  includes(...needed: Permissions[]): boolean {
    return needed.flatMap((each) => listNames(each)).every((name) => this.#names.has(name));
  }

  /** Whether the set has no permissions. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** Whether the work can destroy or act for another: delete, import, admin or impersonate. */
  get isDestructive(): boolean {
    return [...this.#names].some((name) => DESTRUCTIVE.has(name));
  }

  /** Whether the work changes anything, so that doing it twice would matter. */
  get isWriting(): boolean {
    return this.isDestructive || this.#names.has('write');
  }

  /** Returns the permissions that are in either set. */
  union(other: Permissions): PermissionSet {
    return new PermissionSet([...this.#names, ...listNames(other)]);
  }

  /** Returns the permissions that are in both sets. */
  intersection(other: Permissions): PermissionSet {
    return new PermissionSet(listNames(other).filter((name) => this.#names.has(name)));
  }

  /** Whether both sets have the same permissions. */
  equals(other: Permissions): boolean {
    const names = listNames(other);
    return names.length === this.#names.size && this.includes(names);
  }

  /** Returns the names in the order of {@link PermissionFlag}. */
  toList(): PermissionName[] {
    return [...this.#names];
  }

  toJSON(): PermissionName[] {
    return this.toList();
  }

  [inspect.custom](): string {
    return `PermissionSet ${inspect(this.toList())}`;
  }

  [Symbol.iterator](): IterableIterator<PermissionName> {
    return this.#names.values();
  }
}

/** Returns the tags that inform planners of these permissions: the names, and `destructive`. */
export function permissionTags(permissions: PermissionSet): string[] {
  return [...permissions, ...(permissions.isDestructive ? ['destructive'] : [])];
}

/** Checks that all needed permissions are granted. @throws MaivnSDKError `PERMISSION_MISSING`, naming the missing ones. */
export function requirePermissions(granted: Permissions, needed: Permissions): void {
  const has = new PermissionSet(listNames(granted));
  const missing = listNames(needed).filter((name) => !has.includes(name));
  if (missing.length === 0) return;
  throw new MaivnSDKError(`Missing permission: ${missing.join(', ')}.`, {
    code: 'PERMISSION_MISSING',
    details: { missing, granted: has.toList() },
  });
}

/** Returns each name once; an unknown one is refused. */
function listNames(names: Permissions): PermissionName[] {
  return new PermissionSet(checkNames(typeof names === 'string' ? [names] : names)).toList();
}

function checkNames(names: Iterable<string>): PermissionName[] {
  if (typeof names !== 'object' || names === null || !(Symbol.iterator in names))
    throw new ConfigurationError(`Permissions must be an iterable of names, got ${kindOf(names)}.`, {
      code: 'CONFIG_UNKNOWN_PERMISSION',
    });
  const all = [...names];
  const unknown = [...new Set(all.filter((name) => !isPermissionName(name)))].sort();
  if (unknown.length === 0) return all.filter(isPermissionName);
  throw new ConfigurationError(
    `Unknown permission: ${unknown.join(', ')}. Known permissions: ${ORDER.join(', ')}.`,
    {
      code: 'CONFIG_UNKNOWN_PERMISSION',
      details: { unknown },
    },
  );
}

function isPermissionName(name: string): name is PermissionName {
  return KNOWN.has(name);
}
