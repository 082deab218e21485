import type { Ledger, LedgerStep } from './ledger.js';
import { ScheduleError } from './errors.js';
import type { ScheduleStore } from './schedule-store.js';

/** How often a change is made again because another process was faster. */
const MOST_ATTEMPTS = 50;

/** One job's place in a store: steps are taken one after another, each on what the store holds at that time. */
export class LedgerBook {
  readonly #store: ScheduleStore;
  readonly #jobName: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: ScheduleStore, jobName: string) {
    this.#store = store;
    this.#jobName = jobName;
  }

  /** Takes a step. It is pure, as it may be taken several times; one that gives nothing, or the same ledger, writes nothing. */
  async take<Step extends LedgerStep | undefined>(step: (ledger: Ledger | undefined) => Step): Promise<Step> {
    const taken = this.#last.then(async () => this.#take(step));
    // A step that failed is its caller's to handle; the next one is taken all the same.
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #take<Step extends LedgerStep | undefined>(
    step: (ledger: Ledger | undefined) => Step,
  ): Promise<Step> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const stored = await this.#store.load(this.#jobName);
      const taken = step(stored?.ledger);
      if (!taken || (taken.ledger === stored?.ledger && taken.settled.length === 0)) return taken;
      const expectedVersion = stored?.version ?? 0;
      const { ledger, settled } = taken;
      if (await this.#store.save(this.#jobName, { expectedVersion, ledger, settled })) return taken;
    }
    throw new ScheduleError(
      `The ledger of '${this.#jobName}' changes faster than this process can write it.`,
      {
        code: 'SCHEDULE_STORE_CONTENDED',
        details: { job: this.#jobName },
      },
    );
  }
}
