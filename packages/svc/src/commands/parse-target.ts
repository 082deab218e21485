import { UsageError } from '../terminal.js';

/** Reads an address given on the command line. Never repeats it in an error, for it may hold a password. */
export function parseTarget(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      'What was given is no http address; give one such as http://127.0.0.1:3000/svc/events/s1.',
    );
  if (url.username || url.password)
    throw new UsageError("The address holds a user or a password; send them with --header 'name: value'.");
  return url;
}

/** Reads `name: value` pairs given by a flag or a variable. Never repeats a value in an error. */
export function parseHeaders(pairs: readonly string[] = [], source = '--header'): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf(':');
      if (at < 1) throw new UsageError(`A header is given as ${source} 'name: value'.`);
      const [name, value] = [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()];
      // No request could be made with it, however often it is tried.
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~\u0080-\u00ff]*$/.test(value))
        throw new UsageError(
          `A header given as ${source} has letters or control characters that none may have.`,
        );
      return [name, value];
    }),
  );
}
