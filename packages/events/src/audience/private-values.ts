import { createValueMatcher } from '@svc/redaction';
import type { PrivateValue, ValueMatcher } from '@svc/redaction';

/** The private values of a bridge as one matcher, made anew only when the values change. */
export class PrivateValues {
  readonly #read: () => Iterable<PrivateValue>;
  #known: readonly PrivateValue[] = [];
  #matcher: ValueMatcher = createValueMatcher([]);

  constructor(read: () => Iterable<PrivateValue>) {
    this.#read = read;
  }

  /** Finds the values there are now; undefined while there are none. */
  matcher(): ValueMatcher | undefined {
    if (!isSame(this.#read(), this.#known)) {
      this.#known = Array.from(this.#read(), ({ name, value }) => ({ name, value }));
      if (!this.#matcher.isMadeOf(this.#known)) this.#matcher = createValueMatcher(this.#known);
    }
    return this.#matcher.isEmpty ? undefined : this.#matcher;
  }
}

function isSame(values: Iterable<PrivateValue>, known: readonly PrivateValue[]): boolean {
  let count = 0;
  for (const { name, value } of values) {
    const before = known[count];
    // An object may have been changed in place, so its texts are looked at.
    if (before?.name !== name || before.value !== value || (typeof value === 'object' && value !== null))
      return false;
    count += 1;
  }
  return count === known.length;
}
