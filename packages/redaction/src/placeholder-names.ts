/** Assigns names to private values, each name to one value. */
export class PlaceholderNames {
  readonly #values = new Map<string, unknown>();
  readonly #names = new Map<unknown, string>();
  readonly #counts = new Map<string, number>();
  readonly #lastNumbers = new Map<string, number>();
  readonly #reserved = new Set<string>();
  #countAfter = 0;

  /** Skips the numbers up to this one. */
  skipTo(count: number): void {
    this.#countAfter = Math.max(this.#countAfter, count);
  }

  /** Reserves a name whose value is not known here: no value gets it by its number, only one that is given this name. */
  reserve(name: string): void {
    this.#reserved.add(name);
  }

  /** Registers a value that already has a name. */
  register(name: string, value: unknown): void {
    this.#values.set(name, value);
    if (!this.#names.has(value)) this.#names.set(value, name);
  }

  /** Returns the name of a value; undefined if it has none yet. */
  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Names a new value as requested, with a number appended if another value has that name. */
  assign(wanted: string, value: string): string {
    const base = wanted.replaceAll(/[{}\p{Cc}]/gu, '_');
    let name = base;
    let number = this.#lastNumbers.get(base) ?? 1;
    while (this.#values.has(name)) name = `${base}_${(number += 1)}`;
    this.#lastNumbers.set(base, number);
    this.register(name, value);
    return name;
  }

  /** Names a new value by its kind: `pii_<type>_<n>`, counted per kind. */
  assignNumbered(type: string, value: string): string {
    const base = `pii_${type.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
    let count = Math.max(this.#counts.get(base) ?? 0, this.#countAfter);
    do count += 1;
    while (this.#values.has(`${base}_${count}`) || this.#reserved.has(`${base}_${count}`));
    this.#counts.set(base, count);
    this.register(`${base}_${count}`, value);
    return `${base}_${count}`;
  }
}
