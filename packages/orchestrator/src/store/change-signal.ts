/** Wakes waiters at the next change. */
export class ChangeSignal {
  readonly #waiters = new Set<() => void>();
  #version = 0;

  /** Grows with every change. Read it before looking, to detect a change missed meanwhile. */
  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version += 1;
    for (const waiter of this.#waiters) waiter();
  }

  /** Resolves at the next change after the version, or when the signal aborts. Never rejects. */
  waitSince(version: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || version !== this.#version) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#waiters.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}
