import type {
  AppendOutcome,
  JournalEntry,
  RunRecord,
  RunStatus,
  RunStore,
} from '@svc/contracts/orchestrator';
import type { Clock } from '../../clock.js';
import { runUnreadable } from '../../store/errors.js';
import { fromStore } from './store-failure.js';

/** What a `JournalWriter` needs. */
export interface JournalWriterOptions {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly record: Pick<RunRecord, 'sessionId' | 'epoch' | 'lastSeq'>;
  /** The last sequence number read. */
  readonly readSeq: () => number;
  /** Called when another owner has the run, it is gone, or it has lost what was read or written: continue from its journal. */
  readonly onLost: () => void;
  /** Called when a write that nobody awaits fails. */
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

  /** The last sequence number written. Decisions wait until the journal has been read up to it. */
  get expectedSeq(): number {
    return this.#expectedSeq;
  }

  /** Rejects when the store fails. A duplicate was written by somebody else. */
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

  /**
   * Writes what nobody else writes, so a duplicate means that the journal has lost what it contained. To continue would
   * repeat the work forever.
   * @throws RunStoreError `RUN_UNREADABLE`
   */
  async writeOwn(
    entries: readonly JournalEntry[],
    more: { status?: RunStatus | undefined; ends?: boolean } = {},
  ): Promise<AppendOutcome['outcome']> {
    const outcome = await this.write(entries, more);
    if (outcome === 'duplicate') throw runUnreadable(this.#options.record.sessionId);
    return outcome;
  }

  /** Writes an entry that no decision depends on. Never rejects. */
  async tryWrite(entry: JournalEntry): Promise<void> {
    await this.#append([entry], {}).catch(this.#options.onFailure);
  }

  async #append(
    entries: readonly JournalEntry[],
    more: { status?: RunStatus; ends?: boolean },
  ): Promise<AppendOutcome> {
    const { store, clock, record, readSeq, onLost } = this.#options;
    const knownSeq = Math.max(this.#expectedSeq, readSeq());
    const append = { entries, nowMs: clock.nowMs(), epoch: record.epoch, knownSeq, ...more };
    const outcome = await fromStore(store.append(record.sessionId, append));
    if (outcome.outcome === 'stale' || outcome.outcome === 'missing') onLost();
    return outcome;
  }
}
