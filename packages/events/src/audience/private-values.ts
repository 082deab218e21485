import { createValueMatcher } from '@svc/redaction';
import type { PrivateValue, ValueMatcher } from '@svc/redaction';

const emptyMatcher = createValueMatcher([]);
const MOST_LATEST = 4;
/** The latest matchers, as long as they are in use: all bridges of an agent have the same values. */
const latest: WeakRef<ValueMatcher>[] = [];

/** The private values of a bridge as one matcher, rebuilt only when the values change. */
export class PrivateValues {
  readonly #read: () => Iterable<PrivateValue>;
  #known: readonly PrivateValue[] = [];
  #matcher = emptyMatcher;

  constructor(read: () => Iterable<PrivateValue>) {
    this.#read = read;
  }

  /** Returns the matcher of the current values; undefined if there are none. */
  matcher(): ValueMatcher | undefined {
    if (!isSame(iterable(this.#read()), this.#known)) {
      const known = Array.from(iterable(this.#read()), (each) => ({ name: each?.name, value: each?.value }));
      if (!this.#matcher.isMadeOf(known)) this.#matcher = matcherOf(known);
      this.#known = known;
    }
    return this.#matcher.isEmpty ? undefined : this.#matcher;
  }

  /** Frees the matcher until it is needed again: one of a thousand values takes 2 MB, and a session may be idle for long. */
  release(): void {
    this.#known = [];
    this.#matcher = emptyMatcher;
  }
}

/** Returns a shared matcher if possible: building one of a thousand values takes as long as a thousand events. */
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

/** Rejects anything else, such as a promise, which would leave the values visible. */
function iterable(values: Iterable<PrivateValue>): Iterable<PrivateValue> {
  if (Symbol.iterator in Object(values)) return values;
  throw new TypeError(`privateValues must return an iterable of { name, value }, got ${typeof values}`);
}

function isSame(values: Iterable<PrivateValue>, known: readonly PrivateValue[]): boolean {
  let count = 0;
  for (const each of values) {
    const before = known[count];
    // Invalid values are rejected when the matcher is built.
    if (before === undefined || before.name !== each?.name || before.value !== each.value) return false;
    // An object may have been changed in place, so its contents are compared.
    if (typeof each.value === 'object' && each.value !== null) return false;
    count += 1;
  }
  return count === known.length;
}
