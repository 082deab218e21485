import { createValueMatcher, type ValueMatcher } from '@svc/redaction';
import { putLatest } from '../../put-latest.js';
import { findInAddress, isCredential } from './find-credentials.js';

/** How many values are remembered; tokens that change push out older ones. */
const MOST_VALUES = 64;

/** A shorter value could be a word of any answer. */
const SHORTEST_CREDENTIAL = 6;

/**
 * The values that were handed to a server in confidence, so that nothing it says back can show them. What it answers is
 * cleaned of credentials alone: an answer that speaks of the host or the folder it was given has to name it.
 */
export class Secrets {
  /** Names by value. */
  readonly #names = new Map<string, string>();
  #matchers: { readonly all: ValueMatcher; readonly credentials: ValueMatcher } | undefined;

  /** Notes values by name, such as those of headers or of environment variables. */
  add(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.#add(name, value);
      // Of `Bearer x` a server may say `x` alone.
      if (value.includes(' ')) this.#add(name, value.slice(value.indexOf(' ') + 1));
    }
  }

  /** The text without them. */
  clean(text: string): string {
    return this.#current().all.replace(text);
  }

  /** A message of the server's as it is to be read: what it answers or tells, without credentials. */
  cleanMessage<Message extends object>(message: Message): Message {
    const said = Object.entries(message).filter(([field]) => SAID.has(field));
    const cleaned = said.map(([field, value]) => [field, this.#current().credentials.scrub(value)]);
    return Object.assign({}, message, Object.fromEntries(cleaned));
  }

  #current() {
    return (this.#matchers ??= this.#makeMatchers());
  }

  #makeMatchers() {
    const all = [...this.#names].map(([value, name]) => ({ name, value }));
    const credentials = all.flatMap(({ name, value }) => {
      const found = isCredential(name) ? [value] : findInAddress(value).map(([, held]) => held);
      return found
        .filter((secret) => secret.length >= SHORTEST_CREDENTIAL)
        .map((secret) => ({ name, value: secret }));
    });
    return { all: createValueMatcher(all), credentials: createValueMatcher(credentials) };
  }

  #add(name: string, value: string): void {
    const known = this.#names.get(value);
    putLatest(this.#names, [value, known ?? name], MOST_VALUES);
    if (known === undefined) this.#matchers = undefined;
  }
}

/** The fields of a message that the server fills; the others are the protocol's. */
const SAID: ReadonlySet<string> = new Set(['result', 'error', 'params']);
