import type { JournalEntry, JournalRecord } from '@svc/contracts/orchestrator';

/** One run's journal in memory: ordered, one record per key and per slot. */
export class MemoryJournal {
  readonly #records: JournalRecord[] = [];
  readonly #keys = new Set<string>();
  readonly #slots = new Map<string, number>();
  #lastSeq = 0;

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  hasKey(key: string): boolean {
    return this.#keys.has(key);
  }

  append(entries: readonly JournalEntry[], atMs: number): void {
    for (const entry of entries) {
      const record = { ...entry, seq: ++this.#lastSeq, atMs };
      if (record.key !== undefined) this.#keys.add(record.key);
      if (record.slot !== undefined) this.#replaceSlot(record.slot, record.seq);
      this.#records.push(record);
    }
  }

  read(afterSeq: number, limit: number): JournalRecord[] {
    const start = this.#indexAfter(afterSeq);
    return this.#records.slice(start, start + limit);
  }

  #replaceSlot(slot: string, seq: number): void {
    const earlier = this.#slots.get(slot);
    if (earlier !== undefined) this.#records.splice(this.#indexAfter(earlier - 1), 1);
    this.#slots.set(slot, seq);
  }

  #indexAfter(seq: number): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
