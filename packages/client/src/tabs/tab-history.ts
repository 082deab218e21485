import type { EventEnvelope } from '@svc/contracts';

/** How many events a tab keeps for others. */
const mostEvents = 2_000;

/** The events a tab has received, so that it can bring a later tab to where it is itself. */
export class TabHistory {
  readonly #events: EventEnvelope[] = [];
  /** The cursor before the first of them; undefined for the beginning. */
  #startsAfter: string | undefined;

  constructor(cursor: string | undefined) {
    this.#startsAfter = cursor;
  }

  add(event: EventEnvelope): void {
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#startsAfter = this.#events.shift()?.id;
  }

  /** What comes after a cursor, without one the current turn or more; undefined when this tab cannot know. */
  after(cursor: string | undefined): readonly EventEnvelope[] | undefined {
    if (cursor === this.#startsAfter) return this.#events;
    const last = this.#events.length - 1;
    const index = this.#events.findLastIndex(({ id, type }, at) =>
      cursor === undefined ? at < last && (type === 'final' || type === 'error') : id === cursor,
    );
    return index < 0 ? undefined : this.#events.slice(index + 1);
  }
}
