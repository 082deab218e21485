/** Something that sends heartbeats. */
export interface Beating {
  beat(frame: Uint8Array): void;
}

/** The number of groups that take turns, so that thousands of connections are not written to at once. */
const maxGroups = 16;

/** The frame of every heartbeat: readers ignore comments. */
const keepAlive = Buffer.from(': keepalive\n\n');

/** One timer for the heartbeats of all connections. It runs while there are any. */
export class Heartbeats {
  readonly #groups: Set<Beating>[];
  readonly #tickMs: number;
  #turn = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param intervalMs The time between two heartbeats on one connection. */
  constructor(intervalMs: number) {
    const groups = Math.max(1, Math.min(maxGroups, Math.floor(intervalMs)));
    this.#groups = Array.from({ length: groups }, () => new Set());
    this.#tickMs = intervalMs / groups;
  }

  /** Keeps it alive from now on, and returns its group. */
  add(beating: Beating): number {
    // The group that has just had its turn is next after a whole interval.
    this.#groups[this.#turn]?.add(beating);
    this.#size += 1;
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    return this.#turn;
  }

  /** Removes one from its group. */
  remove(beating: Beating, group: number): void {
    if (!this.#groups[group]?.delete(beating)) return;
    this.#size -= 1;
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#turn = (this.#turn + 1) % this.#groups.length;
    for (const beating of this.#groups[this.#turn] ?? []) beating.beat(keepAlive);
  }
}
