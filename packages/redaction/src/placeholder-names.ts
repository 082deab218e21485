/** Gives out names for private values, each name to one value. */
export class PlaceholderNames {
  readonly #values = new Map<string, unknown>();
  readonly #names = new Map<unknown, string>();
  readonly #counts = new Map<string, number>();
  readonly #lastNumbers = new Map<string, number>();
  readonly #foreign = new Set<string>();
  #countAfter = 0;

  /** Passes over the numbers up to this one. */
  skipTo(count: number): void {
    this.#countAfter = Math.max(this.#countAfter, count);
  }

  /** Notes a name that stands for a value nobody here knows, so that no other value is numbered so. */
  leave(name: string): void {
    this.#foreign.add(name);
  }

  /** Notes a value that has its name already. */
  take(name: string, value: unknown): void {
    this.#values.set(name, value);
    if (!this.#names.has(value)) this.#names.set(value, name);
  }

  /** Names a value as it is called, with a number after it if another value has that name. */
  named(wanted: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const base = wanted.replaceAll(/[{}\p{Cc}]/gu, '_');
    let name = base;
    let number = this.#lastNumbers.get(base) ?? 1;
    while (this.#values.has(name)) name = `${base}_${(number += 1)}`;
    this.#lastNumbers.set(base, number);
    this.take(name, value);
    return name;
  }

  /** Names a value by its kind: `pii_<type>_<n>`, each kind counted for itself. */
  numbered(type: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const base = `pii_${type.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
    let count = Math.max(this.#counts.get(base) ?? 0, this.#countAfter);
    do count += 1;
    while (this.#values.has(`${base}_${count}`) || this.#foreign.has(`${base}_${count}`));
    this.#counts.set(base, count);
    this.take(`${base}_${count}`, value);
    return `${base}_${count}`;
  }
}
