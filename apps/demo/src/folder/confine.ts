import { lstat, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { ToolError } from '@svc/core';

/** A path the demo refuses to touch: outside the folder, or a file that commonly holds secrets. */
export class RefusedPathError extends ToolError {
  constructor(message: string) {
    super(message, { code: 'PATH_REFUSED' });
  }
}

const secretNames =
  /^(\.env(\..+)?|.*\.(env|pem|key|p12|pfx|jks|keystore|asc|kdbx)|id_(rsa|dsa|ecdsa|ed25519)(\..+)?|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|.*(credential|secret)s?(\.(json|ya?ml|toml|txt|ini))?)$/i;

/** Windows also opens a file by a stream's name or with trailing dots and spaces; `realpath` resolves short names. */
const nameOfFile = (part: string) => part.replace(/:.*$/s, '').replace(/[. ]+$/, '');

/** Whether a path (relative to the folder, `/` separated) may hold secrets or is part of git's own storage. */
export function isSecretPath(path: string): boolean {
  const parts = path.split(/[\\/]/).map(nameOfFile);
  if (parts.some((part) => part.toLowerCase() === '.git')) return true;
  return parts.some((part) => secretNames.test(part)) && !/\.example$/i.test(parts.at(-1) ?? '');
}

/** Whether `path` is `root` itself or below it. Both are absolute and resolved. */
export function isInside(root: string, path: string): boolean {
  const step = relative(root, path);
  return step === '' || (!step.startsWith(`..${sep}`) && step !== '..' && !isAbsolute(step));
}

/**
 * Resolves a planner's path to a real path inside `root`. Links are followed before the check, so neither `..` nor a
 * symbolic link leads out. Throws `RefusedPathError` for paths outside `root`, for secrets and for NUL.
 */
export async function confine(root: string, path: string): Promise<{ absolute: string; relative: string }> {
  if (path.includes('\0')) throw new RefusedPathError('The path contains a NUL character; use a plain path.');
  const wanted = resolve(root, path);
  if (!isInside(root, wanted))
    throw new RefusedPathError(`"${path}" is outside the folder; use a path inside it.`);
  if (isSecretPath(relative(root, wanted)))
    throw new RefusedPathError(`"${path}" may contain secrets and is never read; ask for another file.`);
  const absolute = await realpath(wanted).catch(() => {
    throw new RefusedPathError(`"${path}" does not exist in the folder; list the files to see what does.`);
  });
  const inside = relative(root, absolute).split(sep).join('/');
  if (!isInside(root, absolute))
    throw new RefusedPathError(`"${path}" is a link that points outside the folder; use a path inside it.`);
  if (isSecretPath(inside))
    throw new RefusedPathError(`"${path}" may contain secrets and is never read; ask for another file.`);
  return { absolute, relative: inside === '' ? '.' : inside };
}

/**
 * Throws `RefusedPathError` if a file to be written is a link, whatever it points to: writing through one whose target
 * is missing would create that file, wherever it is.
 */
export async function refuseLink(path: string): Promise<void> {
  const isLink = await lstat(path).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  );
  if (isLink)
    throw new RefusedPathError(`"${basename(path)}" is a link, which may lead elsewhere; remove it first.`);
}
