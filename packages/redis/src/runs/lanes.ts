/**
 * Steps of one writer, one at a time for each thing they change. With no more than one step on its way, the number of
 * the last one tells whether a step that comes again was done already.
 */
export class Lanes {
  /** Tells this writer from all others. */
  readonly writer: string;
  readonly #lanes = new Map<string, Promise<unknown>>();
  #steps = 0;

  constructor(writer: string) {
    this.writer = writer;
  }

  /** Runs a step after those before it on the same thing, whatever became of them. */
  run<Result>(thing: string, step: (number: number) => Promise<Result>): Promise<Result> {
    this.#steps += 1;
    const number = this.#steps;
    const before = this.#lanes.get(thing);
    const result = before === undefined ? step(number) : before.then(() => step(number));
    const settled: Promise<unknown> = result.then(
      () => this.#leave(thing, settled),
      () => this.#leave(thing, settled),
    );
    this.#lanes.set(thing, settled);
    return result;
  }

  #leave(thing: string, settled: Promise<unknown>): void {
    if (this.#lanes.get(thing) === settled) this.#lanes.delete(thing);
  }
}
