import type { NamedValue, PrivateValues } from '../privacy/private-values.js';

const MAX_RECENT_VALUES = 1000;

/** The private values that runs added to their scope's: those of running runs, and the latest of ended ones. */
export class RecentValues {
  readonly #running = new Set<PrivateValues>();
  #ended: readonly NamedValue[] = [];

  start(values: PrivateValues): void {
    this.#running.add(values);
  }

  end(values: PrivateValues): void {
    this.#running.delete(values);
    this.#ended = unique([...this.#ended, ...values.list()]).slice(-MAX_RECENT_VALUES);
  }

  list(): readonly NamedValue[] {
    return unique([...this.#ended, ...[...this.#running].flatMap((values) => values.list())]);
  }
}

/** Keeps the last occurrence of each value. */
function unique(values: readonly NamedValue[]): readonly NamedValue[] {
  const latest = new Map<unknown, NamedValue>();
  for (const named of values) {
    latest.delete(named.value);
    latest.set(named.value, named);
  }
  return [...latest.values()];
}
