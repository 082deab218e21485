/** A promise that starts its work when it is first awaited. If nobody awaits it, its failure troubles nobody. */
export class LazyPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'LazyPromise';
  readonly #start: () => Promise<T>;

  /** `start` gives the same promise however often it is called. */
  constructor(start: () => Promise<T>) {
    this.#start = start;
  }

  // The very point of the class is to be awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#start().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#start().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#start().finally(onFinally);
  }
}
