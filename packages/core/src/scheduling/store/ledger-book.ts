import type { Ledger, LedgerStep } from './ledger.js';
import { ScheduleError } from '../errors.js';
import type { ScheduleStore } from './schedule-store.js';

/** How many times a change is tried while other processes are faster. */
const MAX_ATTEMPTS = 50;

/** The ledger of one job in a store: steps are taken one after another, each on the stored state. */
export class LedgerBook {
  readonly #store: ScheduleStore;
  readonly #jobName: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: ScheduleStore, jobName: string) {
    this.#store = store;
    this.#jobName = jobName;
  }

  /**
   * Takes a step, which must be pure because it may be repeated. A step that returns nothing, or the same ledger,
   * writes nothing.
   */
  async take<Step extends LedgerStep | undefined>(step: (ledger: Ledger | undefined) => Step): Promise<Step> {
    const taken = this.#last.then(async () => this.#take(step));
    // A failed step is handled by its caller; the next one is taken anyway.
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #take<Step extends LedgerStep | undefined>(
    step: (ledger: Ledger | undefined) => Step,
  ): Promise<Step> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.#store.load(this.#jobName);
      const taken = step(stored?.ledger);
      if (!taken || (taken.ledger === stored?.ledger && taken.settled.length === 0)) return taken;
      const expectedVersion = stored?.version ?? 0;
      const { ledger, settled } = taken;
      if (await this.#store.save(this.#jobName, { expectedVersion, ledger, settled })) return taken;
    }
    throw new ScheduleError(
      `The ledger of the job '${this.#jobName}' changes faster than this process can write it.`,
      {
        code: 'SCHEDULE_STORE_CONTENDED',
        details: { job: this.#jobName },
      },
    );
  }
}
