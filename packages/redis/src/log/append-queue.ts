import { LogClosedError, LogGapError, StaleEpochError } from '@svc/events';
import type { LogEvent } from '@svc/events';
import { redisError } from '../errors.js';
import { encodeEntry } from './entry-codec.js';

/** Sends entries of one writer in one step and resolves to the append script's reply. */
export type SendEntries = (values: readonly (string | number)[]) => Promise<unknown>;

interface WaitingEntry {
  readonly event: LogEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_ENTRIES_PER_STEP = 128;
const MOST_CHARACTERS_PER_STEP = 512 * 1024;
/** Entries wait in memory while the server does not answer; beyond this many, more are refused. */
const MOST_WAITING_ENTRIES = 10_000;
const MOST_WAITING_CHARACTERS = 64 * 1024 * 1024;

/**
 * The queue of one writer's entries. It sends one step at a time, so that entries stay in order even if a step fails;
 * entries that arrive meanwhile go into the next step.
 */
export class AppendQueue {
  readonly #send: SendEntries;
  readonly #onIdle: () => void;
  #waiting: WaitingEntry[] = [];
  #waitingCharacters = 0;
  #last: Promise<void> = Promise.resolve();
  #isSending = false;

  /** `onIdle` is called whenever nothing is waiting or being sent any more. */
  constructor(send: SendEntries, onIdle: () => void) {
    this.#send = send;
    this.#onIdle = onIdle;
  }

  /** @throws RedisError if the queue is full. */
  assertRoom(): void {
    const { length } = this.#waiting;
    if (length < MOST_WAITING_ENTRIES && this.#waitingCharacters < MOST_WAITING_CHARACTERS) return;
    const message = `Redis could not append an event: ${length} events of the session are already waiting`;
    throw redisError(message, 'REDIS_UNAVAILABLE');
  }

  /** @throws RedisError if the queue is full. */
  append(event: LogEvent): Promise<void> {
    this.assertRoom();
    this.#waitingCharacters += lengthOf(event);
    this.#last = new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
    });
    if (!this.#isSending) {
      this.#isSending = true;
      // Entries appended in the same synchronous run go into the same step.
      queueMicrotask(() => void this.#sendAll());
    }
    return this.#last;
  }

  /** Settles with the newest entry queued so far: resolves once it is stored, rejects if it was not. */
  async drained(): Promise<void> {
    await this.#last;
  }

  /** Rejects the entries that have not been sent. */
  close(): void {
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
    this.#onIdle();
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
