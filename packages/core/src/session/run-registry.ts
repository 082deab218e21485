/** What the registry needs of a run. */
export interface RegisteredRun {
  readonly id: string;
  cancel(reason?: string): Promise<void>;
}

/** The running runs of one scope by id. */
export class RunRegistry<Run extends RegisteredRun> {
  readonly #runs = new Map<string, Run>();
  readonly #pendingCancels = new Set<Promise<void>>();

  /** The run of that id, while it runs. */
  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /** How many runs are running. */
  get size(): number {
    return this.#runs.size;
  }

  add(run: Run): void {
    this.#runs.set(run.id, run);
  }

  remove(run: Run): void {
    this.#runs.delete(run.id);
  }

  /** Remembers the cancel of a session until the orchestrator has it. */
  track(cancel: Promise<void>): void {
    this.#pendingCancels.add(cancel);
    void cancel.finally(() => this.#pendingCancels.delete(cancel));
  }

  /** Cancels every run and waits until the orchestrator was told. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.cancel('The scope was closed.')));
    await Promise.all(this.#pendingCancels);
  }
}
