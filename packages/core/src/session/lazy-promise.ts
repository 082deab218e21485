/**
 * A promise that starts its work when it is first awaited. If nobody awaits it, a failure is not an unhandled
 * rejection.
 */
export class LazyPromise<Value> extends Promise<Value> {
  override readonly [Symbol.toStringTag] = 'LazyPromise';
  readonly #start: () => Promise<Value>;

  /** `start` must return the same promise every time. */
  constructor(start: () => Promise<Value>) {
    // It settles through the methods below, which `await` calls too, because its constructor is not Promise.
    super(() => undefined);
    this.#start = start;
  }

  // The purpose of the class is to be awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  override then<Fulfilled = Value, Rejected = never>(
    onFulfilled?: ((value: Value) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#start().then(onFulfilled, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<Value> {
    return this.#start().finally(onFinally);
  }
}
