import { ConfigurationError } from '../config/errors.js';

/** A tool is declared in a way that cannot work. */
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

/** The name of a tool or an argument, if every model and planner can carry it. */
export function parseName(name: unknown, what: string): string {
  if (typeof name === 'string' && IDENTIFIER.test(name) && name.length <= MAX_NAME_LENGTH) return name;
  throw declarationError(
    'TOOL_INVALID_NAME',
    `${what} is named '${String(name)}'; a name is 1 to ${MAX_NAME_LENGTH} letters, digits and underscores and starts with no digit.`,
    { name: String(name) },
  );
}

/** A free text as a name, if any of its characters can stand in one. */
export function toName(text: string): string | undefined {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9_]+/);
  const name = words.filter(Boolean).join('_');
  return name === '' ? undefined : name.replace(/^\d/, '_$&').slice(0, MAX_NAME_LENGTH);
}
