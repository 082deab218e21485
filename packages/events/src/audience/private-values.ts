import { createValueMatcher } from '@svc/redaction';
import type { PrivateValue, ValueMatcher } from '@svc/redaction';

const ofNothing = createValueMatcher([]);
const MOST_LATEST = 4;
/** The matchers that were made last, while anybody holds them: all bridges of an agent are given the same values. */
const latest: WeakRef<ValueMatcher>[] = [];

/** The private values of a bridge as one matcher, made anew only when the values change. */
export class PrivateValues {
  readonly #read: () => Iterable<PrivateValue>;
  #known: readonly PrivateValue[] = [];
  #matcher = ofNothing;

  constructor(read: () => Iterable<PrivateValue>) {
    this.#read = read;
  }

  /** Finds the values there are now; undefined while there are none. */
  matcher(): ValueMatcher | undefined {
    if (!isSame(listed(this.#read()), this.#known)) {
      const known = Array.from(listed(this.#read()), (each) => ({ name: each?.name, value: each?.value }));
      if (!this.#matcher.isMadeOf(known)) this.#matcher = matcherOf(known);
      this.#known = known;
    }
    return this.#matcher.isEmpty ? undefined : this.#matcher;
  }

  /** Holds nothing until it is asked again: a matcher of a thousand values takes 2 MB, and a session may rest for long. */
  rest(): void {
    this.#known = [];
    this.#matcher = ofNothing;
  }
}

/** To make one of a thousand values takes as long as a thousand events. */
function matcherOf(values: readonly PrivateValue[]): ValueMatcher {
  for (const made of latest) {
    const matcher = made.deref();
    if (matcher?.isMadeOf(values)) return matcher;
  }
  const matcher = createValueMatcher(values);
  latest.unshift(new WeakRef(matcher));
  latest.splice(MOST_LATEST);
  return matcher;
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
