/** A value with the name it was given under. */
type Named = readonly [name: string, value: string];

/** Names of headers and environment variables whose values are credentials; others may be a host or a folder. */
const CREDENTIAL_NAME = /auth|token|secret|passw|passphrase|pwd|key|credential|cookie/i;

/** `--token=x`, `TOKEN=x` and `Authorization: Bearer x`. */
const NAMED_ARGUMENT = /^-{0,2}([\w.-]+)(?:=|:\s*)(.+)$/s;

/** A flag whose value comes after it; `--no-auth` and `--keyspace` are none. */
const CREDENTIAL_FLAG =
  /^--?(?!-?(?:no|skip|disable)-)([\w.-]*(?:auth|authorization|token|secret|passw(?:or)?d|passphrase|pwd|key|credentials?|cookie))$/i;

/** Whether what has this name is a credential. */
export function isCredential(name: string): boolean {
  return CREDENTIAL_NAME.test(name);
}

/** What an address holds in confidence: its password, and parameters that are named like credentials. */
export function findInAddress(text: string): Named[] {
  if (!URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const named = [...searchParams].filter(([name]) => isCredential(name));
  return password === '' ? named : [...named, ['password', decodePart(password)]];
}

/** Credentials among the arguments of a program. */
export function findInArguments(args: readonly string[]): Named[] {
  return args.flatMap((argument, at) => {
    const [, name = '', value = ''] = NAMED_ARGUMENT.exec(argument) ?? [];
    const named: Named[] = isCredential(name) ? [[name, value]] : findInAddress(value);
    const [, flag] = CREDENTIAL_FLAG.exec(args[at - 1] ?? '') ?? [];
    const following: Named[] = flag === undefined || argument.startsWith('-') ? [] : [[flag, argument]];
    return [...named, ...following, ...findInAddress(argument)];
  });
}

/** As a server reads it; malformed, it stays as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Then it is no encoding.
    return part;
  }
}
