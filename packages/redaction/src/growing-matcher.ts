import type { PrivateValue } from './private-value.js';
import { createValueMatcher, type ValueMatch, type ValueMatcher } from './value-matcher.js';

interface Part {
  readonly values: readonly PrivateValue[];
  readonly matcher: ValueMatcher;
}

/**
 * A matcher that values can be added to. It consists of a few matchers, each with more values than the next. A value is
 * recompiled only when the number of values has doubled, so adding them one by one does not take quadratic time.
 */
export class GrowingMatcher {
  readonly #parts: Part[] = [];

  add(added: readonly PrivateValue[]): void {
    if (added.length === 0) return;
    let values = added;
    for (
      let last = this.#parts.at(-1);
      last && last.values.length <= values.length;
      last = this.#parts.at(-1)
    ) {
      values = [...last.values, ...values];
      this.#parts.pop();
    }
    this.#parts.push({ values, matcher: createValueMatcher(values) });
  }

  /** Returns all matches, also of short values that are the whole text. Those of values added earlier come first. */
  find(text: string): ValueMatch[] {
    return this.#parts.flatMap(({ matcher }) => matcher.findWithShort(text));
  }
}
