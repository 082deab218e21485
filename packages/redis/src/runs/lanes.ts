/**
 * Runs the steps of one writer, one at a time per key. With at most one step per key in flight, the number of the last
 * one shows whether a repeated step was already done.
 */
export class Lanes {
  /** The id of this writer. */
  readonly writer: string;
  readonly #lanes = new Map<string, Promise<unknown>>();
  #steps = 0;

  constructor(writer: string) {
    this.writer = writer;
  }

  /** Runs a step after the earlier ones of the same key have settled. */
  run<Result>(key: string, step: (number: number) => Promise<Result>): Promise<Result> {
    this.#steps += 1;
    const number = this.#steps;
    const before = this.#lanes.get(key);
    const result = before === undefined ? step(number) : before.then(() => step(number));
    const settled: Promise<unknown> = result.then(
      () => this.#leave(key, settled),
      () => this.#leave(key, settled),
    );
    this.#lanes.set(key, settled);
    return result;
  }

  #leave(key: string, settled: Promise<unknown>): void {
    if (this.#lanes.get(key) === settled) this.#lanes.delete(key);
  }
}
