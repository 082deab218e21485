import { isError } from './is-error.js';

/** The message of an error that cannot be read. */
export const UNREADABLE = 'The error that was thrown cannot be read.';

/** Returns the message of an error, or else its name; another thrown value as a string. Never throws. */
export function messageOf(error: unknown): string {
  try {
    if (!isError(error)) return String(error);
    const texts: readonly unknown[] = [error.message, error.name];
    return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? 'Error';
  } catch {
    // A field may be a getter that throws, and a proxy may refuse to be read.
    return UNREADABLE;
  }
}
