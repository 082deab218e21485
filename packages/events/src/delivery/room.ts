/** The progress of a reader. */
interface Progress {
  readonly afterSeq: number;
}

/** Lets a producer wait until the readers of this process have room for what it emits. */
export class Room {
  readonly #readers = new Set<Progress>();
  #waiting: { seq: number; maxWaiting: number; resolve: () => void }[] = [];

  /** The number of readers. */
  get size(): number {
    return this.#readers.size;
  }

  enter(reader: Progress): void {
    this.#readers.add(reader);
  }

  leave(reader: Progress): void {
    this.#readers.delete(reader);
    this.changed();
  }

  /** Resolves when at most `maxWaiting` entries up to `seq` wait for any reader. */
  wait(seq: number, maxWaiting: number): Promise<void> | undefined {
    if (this.#hasRoom(seq, maxWaiting)) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push({ seq, maxWaiting, resolve });
    });
  }

  /** Called when a reader has advanced or left. */
  changed(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) {
      if (this.#hasRoom(each.seq, each.maxWaiting)) each.resolve();
      else this.#waiting.push(each);
    }
  }

  /** Releases all waiting producers. */
  release(): void {
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting = [];
  }

  #hasRoom(seq: number, maxWaiting: number): boolean {
    for (const { afterSeq } of this.#readers) if (seq - afterSeq > maxWaiting) return false;
    return true;
  }
}
