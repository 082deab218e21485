import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { inspect } from 'node:util';
import { ConfigurationError } from '../config/errors.js';

/** The kinds of work a tool does. They are told to the planner and to the host; nothing is enforced by themselves. */
export const PermissionFlag = Object.freeze({
  READ: 'read',
  WRITE: 'write',
  DELETE: 'delete',
  EXPORT: 'export',
  IMPORT: 'import',
  ADMIN: 'admin',
  IMPERSONATE: 'impersonate',
} as const);

/** The name of a kind of work. */
export type PermissionName = (typeof PermissionFlag)[keyof typeof PermissionFlag];

/** One kind of work, or several. */
type Permissions = PermissionName | Iterable<PermissionName>;

const ORDER: readonly PermissionName[] = Object.values(PermissionFlag);
const KNOWN: ReadonlySet<string> = new Set(ORDER);
const DESTRUCTIVE: ReadonlySet<PermissionName> = new Set(['delete', 'import', 'admin', 'impersonate']);

/** A set of kinds of work. None contains another: `admin` does not grant `read`. */
export class PermissionSet implements Iterable<PermissionName> {
  readonly #names: ReadonlySet<PermissionName>;

  constructor(names: Iterable<PermissionName> = []) {
    const given = new Set(checkNames(names));
    this.#names = new Set(ORDER.filter((known) => given.has(known)));
  }

  /** A set from names that may come from elsewhere; unknown ones are an error that lists them. */
  static fromNames(names: Iterable<string>): PermissionSet {
    return new PermissionSet(checkNames(names));
  }

  /** Every kind of work. */
  static all(): PermissionSet {
    return new PermissionSet(ORDER);
  }

  /** Whether all of these are in the set. */
  includes(...needed: Permissions[]): boolean {
    return needed.flatMap((each) => listNames(each)).every((name) => this.#names.has(name));
  }

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

  union(other: Permissions): PermissionSet {
    return new PermissionSet([...this.#names, ...listNames(other)]);
  }

  intersection(other: Permissions): PermissionSet {
    return new PermissionSet(listNames(other).filter((name) => this.#names.has(name)));
  }

  equals(other: Permissions): boolean {
    const names = listNames(other);
    return names.length === this.#names.size && this.includes(names);
  }

  /** The names in the order of {@link PermissionFlag}. */
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

/** The tags that tell planners of these permissions: the names, and `destructive`. */
export function permissionTags(permissions: PermissionSet): string[] {
  return [...permissions, ...(permissions.isDestructive ? ['destructive'] : [])];
}

/** Throws `PERMISSION_MISSING`, naming what lacks, unless every needed kind of work is granted. */
export function requirePermissions(granted: Permissions, needed: Permissions): void {
  const has = new PermissionSet(listNames(granted));
  const missing = listNames(needed).filter((name) => !has.includes(name));
  if (missing.length === 0) return;
  throw new MaivnSDKError(`Missing permission: ${missing.join(', ')}.`, {
    code: 'PERMISSION_MISSING',
    details: { missing, granted: has.toList() },
  });
}

/** Each name once; an unknown one is refused. */
function listNames(given: Permissions): PermissionName[] {
  return new PermissionSet(checkNames(typeof given === 'string' ? [given] : given)).toList();
}

function checkNames(names: Iterable<string>): PermissionName[] {
  if (typeof names !== 'object' || names === null || !(Symbol.iterator in names))
    throw new ConfigurationError('Permissions are a list of names.', { code: 'CONFIG_UNKNOWN_PERMISSION' });
  const given = [...names];
  const unknown = [...new Set(given.filter((name) => !isPermissionName(name)))].sort();
  if (unknown.length === 0) return given.filter(isPermissionName);
  throw new ConfigurationError(`Unknown permission: ${unknown.join(', ')}. Known are ${ORDER.join(', ')}.`, {
    code: 'CONFIG_UNKNOWN_PERMISSION',
    details: { unknown },
  });
}

function isPermissionName(name: string): name is PermissionName {
  return KNOWN.has(name);
}
