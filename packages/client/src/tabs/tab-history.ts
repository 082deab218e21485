import type { EventEnvelope } from '@svc/contracts';

/** The number of events that a tab keeps for others. */
const mostEvents = 2_000;

/** The events a tab has received, with which it can bring a later tab up to date. */
export class TabHistory {
  readonly #events: EventEnvelope[] = [];
  /** The cursor before the first of these events; undefined for the beginning. */
  #startsAfter: string | undefined;

  constructor(cursor: string | undefined) {
    this.#startsAfter = cursor;
  }

  add(event: EventEnvelope): void {
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#startsAfter = this.#events.shift()?.id;
  }

  /** Returns the events after a cursor, without one at least the current turn; undefined if this tab may lack some. */
  after(cursor: string | undefined): readonly EventEnvelope[] | undefined {
    if (cursor === this.#startsAfter) return this.#events;
    const last = this.#events.length - 1;
    const index = this.#events.findLastIndex(({ id, type }, at) =>
      cursor === undefined ? at < last && (type === 'final' || type === 'error') : id === cursor,
    );
    return index < 0 ? undefined : this.#events.slice(index + 1);
  }
}
