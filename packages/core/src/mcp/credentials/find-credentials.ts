/** A value with its name. */
type Named = readonly [name: string, value: string];

/** Words in names of credentials. `author`, `keyspace` and `tokenizer` do not match. */
const CREDENTIAL_WORD =
  /secret|passw|passphrase|credential|cookie|(?:auth|authorization|authentication|tokens?|keys?|pwd)\d*(?![a-z])/;

/** Names of counts, kinds and locations, such as `MAX_TOKENS`, `auth-mode` and `KEY_FILE`. */
const ABOUT_CREDENTIALS =
  /(?:^|[^a-z])(?:max|min|num|limit|count)(?![a-z])|[^a-z](?:url|uri|host|domain|file|path|dir|folder|mode|type|method|name)$/;

/** The names of working directories; elsewhere, `pwd` is short for a password. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** `--token=x`, `TOKEN=x` and `Authorization: Bearer x`. */
const NAMED_ARGUMENT = /^-{0,2}([\w.-]+)(?:=|:\s*)(.+)$/s;

/** A flag whose value may follow it; `--no-auth` has none. */
const FLAG = /^--?(?!-?(?:no|skip|disable)-)([\w.-]+)$/i;

/** Whether a value with this name is a credential. */
export function isCredential(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
  return !FOLDERS.has(name) && CREDENTIAL_WORD.test(words) && !ABOUT_CREDENTIALS.test(words);
}

/** Finds the credentials in a URL: its password, and parameters that are named like credentials. */
export function findInUrl(text: string): Named[] {
  if (!URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const named = [...searchParams].filter(([name]) => isCredential(name));
  return password === '' ? named : [...named, ['password', decodePart(password)]];
}

/** Finds the credentials of a request: its authorization, the password in that, and the fields of a form. */
export function findInRequest(headers: Headers, body: unknown): Named[] {
  const authorization = headers.get('authorization') ?? '';
  const [, encoded = ''] = /^basic (.+)$/i.exec(authorization) ?? [];
  const [, password = ''] = /:(.*)/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const fields = body instanceof URLSearchParams ? [...body].filter(([name]) => isSecretField(name)) : [];
  return [['authorization', authorization] as const, ['password', password] as const, ...fields].filter(
    ([, value]) => value !== '',
  );
}

/** Finds the credentials that the response to a sign-in issues. Its body can still be read. */
export async function findInResponse(response: Response): Promise<Named[]> {
  const issued: unknown = await response
    .clone()
    .json()
    // It issues nothing; who asked for it reports why.
    .catch(() => ({}));
  return Object.entries(Object(issued)).flatMap(([name, value]) =>
    typeof value === 'string' && isCredential(name) ? [[name, value] as const] : [],
  );
}

/** Whether a field of a sign-in is a credential: a token, a secret, or a signed assertion (RFC 7523) instead of one. */
function isSecretField(name: string): boolean {
  return isCredential(name) || name.endsWith('assertion');
}

/** Finds the credentials among the arguments of a program. */
export function findInArguments(args: readonly string[]): Named[] {
  return args.flatMap((argument, at) => {
    const [, name = '', value = ''] = NAMED_ARGUMENT.exec(argument) ?? [];
    const named: Named[] = isCredential(name) ? [[name, value]] : findInUrl(value);
    const [, flag = ''] = FLAG.exec(args[at - 1] ?? '') ?? [];
    const following: Named[] = isCredential(flag) && !argument.startsWith('-') ? [[flag, argument]] : [];
    return [...named, ...following, ...findInUrl(argument)];
  });
}

/** Decodes a value as a server does; a malformed one stays unchanged. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // It is not URL-encoded.
    return part;
  }
}
