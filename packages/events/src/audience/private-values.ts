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
    if (!isSame(listed(this.#read()), this.#known)) {
      const known = Array.from(listed(this.#read()), (each) => ({ name: each?.name, value: each?.value }));
      if (!this.#matcher.isMadeOf(known)) this.#matcher = createValueMatcher(known);
      this.#known = known;
    }
    return this.#matcher.isEmpty ? undefined : this.#matcher;
  }
}

/** A promise of values would leave them in clear. */
function listed(values: Iterable<PrivateValue>): Iterable<PrivateValue> {
  if (Symbol.iterator in Object(values)) return values;
  throw new TypeError(`privateValues must give a list of { name, value }, got ${typeof values}`);
}

function isSame(values: Iterable<PrivateValue>, known: readonly PrivateValue[]): boolean {
  let count = 0;
  for (const each of values) {
    const before = known[count];
    // What is no value is refused when the matcher is made.
    if (before === undefined || before.name !== each?.name || before.value !== each.value) return false;
    // An object may have been changed in place, so its texts are looked at.
    if (typeof each.value === 'object' && each.value !== null) return false;
    count += 1;
  }
  return count === known.length;
}
