/** The parts of a run that the registry needs. */
export interface RegisteredRun {
  readonly id: string;
  cancel(reason?: string): Promise<void>;
}

/** The active runs of one scope by id. */
export class RunRegistry<Run extends RegisteredRun> {
  readonly #runs = new Map<string, Run>();
  readonly #pendingCancels = new Set<Promise<void>>();

  /** Returns the run with that id, while it is active. */
  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /** The number of active runs. */
  get size(): number {
    return this.#runs.size;
  }

  add(run: Run): void {
    this.#runs.set(run.id, run);
  }

  remove(run: Run): void {
    this.#runs.delete(run.id);
  }

  /** Keeps track of the cancellation of a session until the orchestrator has received it. */
  track(cancel: Promise<void>): void {
    this.#pendingCancels.add(cancel);
    void cancel.finally(() => this.#pendingCancels.delete(cancel));
  }

  /** Cancels every run and waits until the orchestrator has received the cancellations. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#runs.values()].map((run) =>
        run.cancel('The run was cancelled because its agent or swarm was closed.'),
      ),
    );
    await Promise.all(this.#pendingCancels);
  }
}
