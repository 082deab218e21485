import type { JournalRecord } from '@svc/contracts/orchestrator';
import type { ChangeSignal } from './change-signal.js';

/** A record can be as large as a result, so only this many are held at once. */
const batchSize = 64;

interface FollowSource {
  read(range: { afterSeq: number; limit: number }): Promise<JournalRecord[]>;
  /** The run's signal; undefined once the run is gone. */
  changes(): ChangeSignal | undefined;
  /** Whether no record can follow a number: the run has ended, is gone, or has fewer records than that. */
  isOver(afterSeq: number): Promise<boolean>;
}

/** Reads a journal to its end and waits for more; for stores whose writers are all in this process. */
export async function* followJournal(
  { afterSeq, signal }: { afterSeq: number; signal?: AbortSignal },
  source: FollowSource,
): AsyncGenerator<JournalRecord[], void> {
  let cursor = afterSeq;
  let isOver = false;
  // eslint-disable-next-line no-unmodified-loop-condition -- a signal changes by itself
  while (!signal?.aborted) {
    const changes = source.changes();
    const version = changes?.version ?? 0;
    const batch = await source.read({ afterSeq: cursor, limit: batchSize });
    const last = batch.at(-1);
    if (last) {
      cursor = last.seq;
      yield batch;
    } else if (isOver || !changes) {
      return;
    } else {
      // One more round reads what was appended before the run ended.
      isOver = await source.isOver(cursor);
      if (!isOver) await changes.waitSince(version, signal);
    }
  }
}
