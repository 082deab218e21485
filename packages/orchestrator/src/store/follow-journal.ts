import type { JournalRecord } from '@svc/contracts/orchestrator';
import type { ChangeSignal } from './change-signal.js';

/** Records can be as large as a result may be, so only so many are held at once. */
const batchSize = 64;

interface FollowSource {
  read(range: { afterSeq: number; limit: number }): Promise<JournalRecord[]>;
  /** The run's signal, nothing once the run is gone. */
  changes(): ChangeSignal | undefined;
  /** Whether nothing can come after a number: the run has ended, is gone, or has not as many records any more. */
  isOver(afterSeq: number): Promise<boolean>;
}

/** Reads a journal to its end and waits for more, for stores whose writers are all in this process. */
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
      // What was appended before the end was is read in one more round.
      isOver = await source.isOver(cursor);
      if (!isOver) await changes.waitSince(version, signal);
    }
  }
}
