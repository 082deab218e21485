/** A promise that starts its work when it is first awaited. If nobody awaits it, its failure troubles nobody. */
export class LazyPromise<T> extends Promise<T> {
  override readonly [Symbol.toStringTag] = 'LazyPromise';
  readonly #start: () => Promise<T>;

  /** `start` gives the same promise however often it is called. */
  constructor(start: () => Promise<T>) {
    // It settles by the methods below, which `await` calls too, since its constructor is not that of promises.
    super(() => undefined);
    this.#start = start;
  }

  // The very point of the class is to be awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#start().then(onFulfilled, onRejected);
  }

  override catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#start().catch(onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#start().finally(onFinally);
  }
}
