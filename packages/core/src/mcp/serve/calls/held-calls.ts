import { randomUUID } from 'node:crypto';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { HeldCall, type CallRequest } from './held-call.js';
import type { Caller, OfferedResult } from '../offers/offer.js';
import { isSameOwner } from './owner.js';
import { refused } from './question-form.js';
import type { SessionLimits } from './session-limits.js';

/** What a request gets: the result of its call, or questions and the state to come back with. */
export type CallOutcome =
  | { readonly result: OfferedResult }
  | {
      readonly result?: undefined;
      readonly forms: readonly (readonly [key: string, form: ElicitRequestFormParams])[];
      readonly state: string;
    };

interface WaitingCall {
  readonly call: HeldCall;
  /** The client that began the call: nobody else can continue it. */
  readonly owner: string;
  /** Ends the time for which its result is kept; undefined while it goes on. */
  timer: NodeJS.Timeout | undefined;
}

/** The calls of clients without sessions. */
export class HeldCalls {
  readonly #limits: SessionLimits;
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #closing = new AbortController();

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Begins a call; returns undefined for an unknown tool. */
  begin(
    toolName: string,
    request: CallRequest,
    call: (caller: Caller) => Promise<OfferedResult> | undefined,
  ): HeldCall | undefined {
    const held = new HeldCall(toolName, request, this.#closing.signal);
    return held.begin(call) ? held : undefined;
  }

  /** Takes the call that waits with a state, which is valid once; returns undefined if there is none. */
  take(state: string, toolName: string, owner: string): HeldCall | undefined {
    const waiting = this.#waiting.get(state);
    if (!waiting || waiting.call.toolName !== toolName || !isSameOwner(waiting.owner, owner))
      return undefined;
    this.#waiting.delete(state);
    clearTimeout(waiting.timer);
    return waiting.call;
  }

  /** Goes on with a call until it has a result, or asks. */
  async proceed(call: HeldCall, request: CallRequest, owner: string): Promise<CallOutcome> {
    for (;;) {
      const result = await call.proceed(request);
      if (result) return { result };
      if (this.#hasRoom()) return { forms: call.listForms(), state: this.#hold(call, owner) };
      call.refuseQuestions(refused('Too many calls are waiting for answers.'));
    }
  }

  /** Ends every call. Closing twice is safe. */
  close(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#closing.abort(new Error('The server was closed.'));
  }

  /** Whether another call can wait; a result that nobody has come back for makes room. */
  #hasRoom(): boolean {
    if (this.#waiting.size < this.#limits.maxSessions) return true;
    for (const [state, { timer }] of this.#waiting) {
      if (timer === undefined) continue;
      clearTimeout(timer);
      return this.#waiting.delete(state);
    }
    return false;
  }

  #hold(call: HeldCall, owner: string): string {
    const state = randomUUID();
    const waiting: WaitingCall = { call, owner, timer: undefined };
    this.#waiting.set(state, waiting);
    const keepResult = () => {
      if (!this.#waiting.has(state)) return;
      waiting.timer = setTimeout(() => this.#waiting.delete(state), this.#limits.sessionIdleMs).unref();
    };
    // Questions and tools have time limits of their own.
    void call.whenOver().then(keepResult);
    return state;
  }
}
