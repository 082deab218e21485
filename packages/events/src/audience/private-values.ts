import { createValueMatcher } from '@svc/redaction';
import type { PrivateValue, ValueMatcher } from '@svc/redaction';

/** The private values of a bridge as one matcher, made anew only when the values change. */
export class PrivateValues {
  readonly #read: () => Iterable<PrivateValue>;
  #known: readonly PrivateValue[] = [];
  #matcher: ValueMatcher | undefined;

  constructor(read: () => Iterable<PrivateValue>) {
    this.#read = read;
  }

  /** Finds the values there are now; undefined while there are none. */
  matcher(): ValueMatcher | undefined {
    const values = this.#read();
    if (!isSame(values, this.#known)) {
      this.#known = Array.from(this.#read(), ({ name, value }) => ({ name, value }));
      const matcher = createValueMatcher(this.#known);
      this.#matcher = matcher.isEmpty ? undefined : matcher;
    }
    return this.#matcher;
  }
}

function isSame(values: Iterable<PrivateValue>, known: readonly PrivateValue[]): boolean {
  let count = 0;
  for (const { name, value } of values) {
    const before = known[count];
    // An object may have been changed in place, so it is never taken for the same.
    if (before?.name !== name || before.value !== value || (typeof value === 'object' && value !== null))
      return false;
    count += 1;
  }
  return count === known.length;
}
