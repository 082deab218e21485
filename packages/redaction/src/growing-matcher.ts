import type { PrivateValue } from './private-value.js';
import { createValueMatcher, type ValueMatch, type ValueMatcher } from './value-matcher.js';

interface Part {
  readonly values: readonly PrivateValue[];
  readonly matcher: ValueMatcher;
}

/**
 * A matcher to which values are added. It is a few matchers, each of more values than the next: a value is compiled anew
 * only when as many were added as there were, so that adding them one by one takes no time that grows with their square.
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

  /** What all values find, those that were added first before the others. */
  find(text: string): ValueMatch[] {
    return this.#parts.flatMap(({ matcher }) => matcher.find(text));
  }
}
