import { inspect } from 'node:util';
import { ConfigurationError } from './errors.js';
import { kindOf } from './options.js';

/** Replaces an API key everywhere but in the Authorization header. */
export const HIDDEN_KEY = '[API key]';

/** A shorter key, such as one used in a test, could be an ordinary word. */
const RECOGNIZABLE_LENGTH = 16;

/** Wraps an API key so that printing, logging or serializing it shows only a placeholder. */
export class ApiKey {
  readonly #value: string;

  constructor(value: string, origin: string) {
    if (typeof value !== 'string')
      throw keyError(`The API key from ${origin} must be a string, got ${kindOf(value)}.`, origin);
    const trimmed = value.trim();
    if (trimmed === '') throw keyError(`The API key from ${origin} must not be blank.`, origin);
    if (!/^[\x21-\x7e]+$/.test(trimmed)) {
      throw keyError(
        `The API key from ${origin} must be one line of printable ASCII without spaces.`,
        origin,
      );
    }
    this.#value = trimmed;
  }

  /** Returns the key itself, for the Authorization header and an explicit dump. */
  reveal(): string {
    return this.#value;
  }

  /** @internal Whether the key is too long to occur in a text by chance. */
  get isRecognizable(): boolean {
    return this.#value.length >= RECOGNIZABLE_LENGTH;
  }

  /** @internal Returns the text with a placeholder in place of the key. */
  hideIn(text: string): string {
    return this.isRecognizable ? text.replaceAll(this.#value, HIDDEN_KEY) : text;
  }

  toString(): string {
    return HIDDEN_KEY;
  }

  toJSON(): string {
    return HIDDEN_KEY;
  }

  [inspect.custom](): string {
    return HIDDEN_KEY;
  }
}

function keyError(message: string, origin: string): ConfigurationError {
  return new ConfigurationError(message, { code: 'CONFIG_INVALID_API_KEY', details: { origin } });
}
