import type {
  AppendOutcome,
  JournalEntry,
  RunRecord,
  RunStatus,
  RunStore,
} from '@svc/contracts/orchestrator';
import type { Clock } from '../clock.js';
import { fromStore } from './store-failure.js';

/** What a writer needs. */
export interface JournalWriterOptions {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly record: Pick<RunRecord, 'sessionId' | 'epoch' | 'lastSeq'>;
  /** Another owner has the run, or it is gone. */
  readonly onLost: () => void;
  /** The store failed where nobody waits for it. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes to the journal of a run that this process owns. */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #expectedSeq: number;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#expectedSeq = options.record.lastSeq;
  }

  /** What is written comes back through the journal; nothing is to be decided before it has been read up to here. */
  get expectedSeq(): number {
    return this.#expectedSeq;
  }

  /** Rejects when the store fails. A duplicate was written by somebody else, who is in the journal too. */
  async write(
    entries: readonly JournalEntry[],
    { status, ends }: { status?: RunStatus | undefined; ends?: boolean } = {},
  ): Promise<AppendOutcome['outcome']> {
    const outcome = await this.#append(entries, {
      ...(status === undefined ? {} : { status }),
      ...(ends ? { ends } : {}),
    });
    if (outcome.outcome === 'appended') this.#expectedSeq = Math.max(this.#expectedSeq, outcome.lastSeq);
    return outcome.outcome;
  }

  /** Writes what no decision depends on. It never rejects. */
  async aside(entry: JournalEntry): Promise<void> {
    await this.#append([entry], {}).catch(this.#options.onFailure);
  }

  async #append(
    entries: readonly JournalEntry[],
    more: { status?: RunStatus; ends?: boolean },
  ): Promise<AppendOutcome> {
    const { store, clock, record, onLost } = this.#options;
    const append = { entries, nowMs: clock.nowMs(), epoch: record.epoch, ...more };
    const leastSeq = this.#expectedSeq + entries.length;
    const outcome = await fromStore(store.append(record.sessionId, append));
    // A store that numbers anew has lost what this process has read: the run is begun again from what is there.
    const isSetBack = outcome.outcome === 'appended' && outcome.lastSeq < leastSeq;
    if (isSetBack || outcome.outcome === 'stale' || outcome.outcome === 'missing') onLost();
    return outcome;
  }
}
