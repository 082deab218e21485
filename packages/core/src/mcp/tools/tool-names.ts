import { createHash } from 'node:crypto';

/** The longest name that every model supports. */
const MAX_LENGTH = 64;
const SUFFIX_LENGTH = 7;

/**
 * Returns the names of a server's tools by the server's names: prefix, separator and name, with `_` in place of all
 * characters except letters, digits and underscores. A name that is too long or taken ends with a part of its hash.
 */
export function nameTools(
  serverNames: readonly string[],
  { prefix, separator }: { prefix: string; separator: string },
): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const serverName of serverNames) {
    const plain = clean(prefix === '' ? serverName : `${prefix}${separator}${serverName}`);
    const name = plain.length > MAX_LENGTH || taken.has(plain) ? withHash(plain, serverName) : plain;
    taken.add(name);
    names.set(serverName, name);
  }
  return names;
}

function clean(name: string): string {
  const cleaned = name.replaceAll(/\W/g, '_');
  return /^\d/.test(cleaned) ? `_${cleaned}` : cleaned;
}

function withHash(plain: string, serverName: string): string {
  const hash = createHash('sha256')
    .update(serverName)
    .digest('hex')
    .slice(0, SUFFIX_LENGTH - 1);
  return `${plain.slice(0, MAX_LENGTH - SUFFIX_LENGTH)}_${hash}`;
}
