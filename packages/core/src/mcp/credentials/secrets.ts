import { createValueMatcher, type ValueMatcher } from '@svc/redaction';
import { putLatest } from '../../put-latest.js';
import { findInUrl, isCredential } from './find-credentials.js';

/** How many values of requests are remembered; the oldest are dropped, for example when tokens change. */
const MAX_VALUES = 64;

/** A shorter value could be an ordinary word of a response. */
const MIN_CREDENTIAL_LENGTH = 6;

/**
 * The confidential values that were passed to a server, which are removed from everything that it sends. Responses are
 * cleaned only of credentials: a response about the host or the folder that the server was given must be able to name it.
 */
export class Secrets {
  /** Names by value: of those that the server was started or connected with, and of those of its last requests. */
  readonly #kept = new Map<string, string>();
  readonly #latest = new Map<string, string>();
  #matchers: { readonly all: ValueMatcher; readonly credentials: ValueMatcher } | undefined;

  /** Adds values by name that stay the same, such as those of environment variables. None of them is dropped. */
  keep(values: Readonly<Record<string, string>>): void {
    this.#add(this.#kept, values, Number.POSITIVE_INFINITY);
  }

  /** Adds values of a request by name, such as those of headers. */
  add(values: Readonly<Record<string, string>>): void {
    this.#add(this.#latest, values, MAX_VALUES);
  }

  /** Returns the text without confidential values. */
  clean(text: string): string {
    return this.#current().all.replace(text);
  }

  /** Returns a message of the server with its content cleaned of credentials. */
  cleanMessage<Message extends object>(message: Message): Message {
    const content = Object.entries(message).filter(([field]) => CONTENT_FIELDS.has(field));
    const cleaned = content.map(([field, value]) => [field, this.#current().credentials.scrub(value)]);
    return Object.assign({}, message, Object.fromEntries(cleaned));
  }

  #current() {
    return (this.#matchers ??= this.#makeMatchers());
  }

  #makeMatchers() {
    const names = new Map([...this.#latest, ...this.#kept]);
    const all = [...names].map(([value, name]) => ({ name, value }));
    const credentials = all.flatMap(({ name, value }) => {
      const found = isCredential(name) ? [value] : findInUrl(value).map(([, held]) => held);
      return found
        .filter((secret) => secret.length >= MIN_CREDENTIAL_LENGTH)
        .map((secret) => ({ name, value: secret }));
    });
    return { all: createValueMatcher(all), credentials: createValueMatcher(credentials) };
  }

  #add(names: Map<string, string>, values: Readonly<Record<string, string>>, maxValues: number): void {
    for (const [name, value] of Object.entries(values)) {
      this.#remember(names, [value, name], maxValues);
      // A server may repeat only the `x` of `Bearer x`.
      if (value.includes(' ')) this.#remember(names, [value.slice(value.indexOf(' ') + 1), name], maxValues);
    }
  }

  #remember(names: Map<string, string>, [value, name]: readonly [string, string], maxValues: number): void {
    const known = names.get(value);
    putLatest(names, [value, known ?? name], maxValues);
    if (known === undefined) this.#matchers = undefined;
  }
}

/** The fields of a message with the server's content; the others belong to the protocol. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['result', 'error', 'params']);
