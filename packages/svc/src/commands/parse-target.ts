import { UsageError } from '../terminal.js';

/** Parses a URL from the command line. Never repeats it in an error, since it may contain a password. */
export function parseTarget(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('The address must be an HTTP URL, such as http://127.0.0.1:3000/svc/events/s1.');
  if (url.username || url.password)
    throw new UsageError("The URL contains a user name or password; send them with --header 'name: value'.");
  return url;
}

/**
 * Parses `name: value` pairs from a flag or a variable; values of the same name are joined. Never repeats a value in an
 * error.
 */
export function parseHeaders(pairs: readonly string[] = [], source = '--header'): Record<string, string> {
  const headers = new Headers();
  for (const pair of pairs) {
    const at = pair.indexOf(':');
    if (at < 1) throw new UsageError(`A header in ${source} must have the form 'name: value'.`);
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    // No request could ever be made with it.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~\u0080-\u00ff]*$/.test(value))
      throw new UsageError(`A header in ${source} contains characters that headers must not contain.`);
    headers.append(name, value);
  }
  return Object.fromEntries(headers);
}
