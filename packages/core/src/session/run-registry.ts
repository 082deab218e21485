import { putLatest } from '../put-latest.js';

/** How many runs that were created and have not started a scope remembers. */
const MAX_WAITING = 1_000;

/** The parts of a run that the registry needs. */
export interface RegisteredRun {
  readonly id: string;
  cancel(reason?: string): Promise<void>;
}

/** The runs of one scope by id, from their creation to their end. */
export class RunRegistry<Run extends RegisteredRun> {
  readonly #waiting = new Map<string, Run>();
  readonly #runs = new Map<string, Run>();
  readonly #pendingCancels = new Set<Promise<void>>();

  /** Returns the run with that id, until it ends. Of the runs that have not started, the latest 1,000 are found. */
  get(id: string): Run | undefined {
    return this.#runs.get(id) ?? this.#waiting.get(id);
  }

  /** The number of active runs. */
  get size(): number {
    return this.#runs.size;
  }

  /** Remembers a run that was created and has not started. */
  expect(run: Run): void {
    putLatest(this.#waiting, [run.id, run], MAX_WAITING);
  }

  add(run: Run): void {
    this.#waiting.delete(run.id);
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
    this.#waiting.clear();
    await Promise.all(
      [...this.#runs.values()].map((run) =>
        run.cancel('The run was cancelled because its agent or swarm was closed.'),
      ),
    );
    await Promise.all(this.#pendingCancels);
  }
}
