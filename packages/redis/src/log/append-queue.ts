import { LogClosedError, LogGapError, StaleEpochError } from '@svc/events';
import type { LogEvent } from '@svc/events';
import { redisError } from '../errors.js';
import { encodeEntry } from './entry-codec.js';

/** Sends entries of one writer in one step. Answers as the append script does. */
export type SendEntries = (values: readonly (string | number)[]) => Promise<unknown>;

interface WaitingEntry {
  readonly event: LogEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_ENTRIES_PER_STEP = 128;
const MOST_CHARACTERS_PER_STEP = 512 * 1024;
/** What waits for a server that does not answer is held in memory; beyond this it is refused. */
const MOST_WAITING_ENTRIES = 10_000;
const MOST_WAITING_CHARACTERS = 64 * 1024 * 1024;

/**
 * The entries of one writer on their way to Redis: one step at a time, so that they stay in order whatever becomes of
 * a step, and all that has come meanwhile goes with the next one.
 */
export class AppendQueue {
  readonly #send: SendEntries;
  readonly #onIdle: () => void;
  #waiting: WaitingEntry[] = [];
  #waitingCharacters = 0;
  #last: Promise<void> = Promise.resolve();
  #isSending = false;
  #isClosed = false;

  /** `onIdle` is called whenever nothing waits and nothing is being sent any more. */
  constructor(send: SendEntries, onIdle: () => void) {
    this.#send = send;
    this.#onIdle = onIdle;
  }

  /** @throws RedisError when more is not to wait: before what waits is stored, nothing that comes after it can be. */
  assertRoom(): void {
    const { length } = this.#waiting;
    if (length < MOST_WAITING_ENTRIES && this.#waitingCharacters < MOST_WAITING_CHARACTERS) return;
    const message = `Redis could not append an event: ${length} events of the session wait for an answer`;
    throw redisError(message, 'REDIS_UNAVAILABLE');
  }

  /** @throws RedisError when there is no room. */
  append(event: LogEvent): Promise<void> {
    this.assertRoom();
    this.#waitingCharacters += lengthOf(event);
    this.#last = new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
    });
    if (!this.#isSending) {
      this.#isSending = true;
      // What the same turn of the caller's code appends goes along.
      queueMicrotask(() => void this.#sendAll());
    }
    return this.#last;
  }

  /** Resolves when what waits now has been stored; rejects when some of it was not. */
  async drained(): Promise<void> {
    await this.#last;
  }

  /** Refuses what has not been sent. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting) reject(new LogClosedError());
    this.#waiting = [];
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const step = this.#nextStep();
      try {
        settle(step, await this.#send(step.flatMap(({ event }) => encodeEntry(event))));
      } catch (error) {
        for (const { reject } of step) reject(error);
      }
    }
    this.#isSending = false;
    if (!this.#isClosed) this.#onIdle();
  }

  #nextStep(): WaitingEntry[] {
    let characters = 0;
    let count = 0;
    for (const { event } of this.#waiting) {
      const more = characters + lengthOf(event);
      if (count > 0 && (count >= MOST_ENTRIES_PER_STEP || more > MOST_CHARACTERS_PER_STEP)) break;
      characters = more;
      count += 1;
    }
    this.#waitingCharacters -= characters;
    return this.#waiting.splice(0, count);
  }
}

function lengthOf({ frames, safeFrames = '' }: LogEvent): number {
  return frames.length + safeFrames.length;
}

function settle(step: readonly WaitingEntry[], answer: unknown): void {
  for (const [index, { event, resolve, reject }] of step.entries()) {
    const expected = Array.isArray(answer) ? Number(answer[index]) : Number.NaN;
    if (expected === 0) resolve();
    else if (Number.isNaN(expected)) reject(new StaleEpochError(event.sessionId));
    else reject(new LogGapError(event.sessionId, { seq: event.seq, headSeq: expected - 1 }));
  }
}
