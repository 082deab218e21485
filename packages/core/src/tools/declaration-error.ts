import { ConfigurationError } from '../config/errors.js';

/** Creates the error for a declaration that cannot work. */
export function declarationError(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): ConfigurationError {
  return new ConfigurationError(message, { code, details, cause });
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_NAME_LENGTH = 64;

/** Parses the name of a tool or an argument in the form that every model and planner accepts. */
export function parseName(name: unknown, owner: string): string {
  if (typeof name === 'string' && IDENTIFIER.test(name) && name.length <= MAX_NAME_LENGTH) return name;
  throw declarationError(
    'TOOL_INVALID_NAME',
    `The name of ${owner} must be 1 to ${MAX_NAME_LENGTH} letters, digits and underscores and must not start with a digit, got '${String(name)}'.`,
    { name: String(name) },
  );
}

/** Converts a free text to a name; `undefined` if none of its characters are allowed in one. */
export function toName(text: string): string | undefined {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9_]+/);
  const name = words.filter(Boolean).join('_');
  return name === '' ? undefined : name.replace(/^\d/, '_$&').slice(0, MAX_NAME_LENGTH);
}
