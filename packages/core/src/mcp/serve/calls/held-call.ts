import { setImmediate } from 'node:timers/promises';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { follow, MAX_TIMER_MS, raceAbort, withDeadline } from '../../../deadline.js';
import { expired } from '../../../interrupts/errors.js';
import { INTERRUPT_EXPIRES_IN_MS } from '../../../tools/reports/question.js';
import type { ToolQuestion } from '../../../tools/reports/tool-reports.js';
import type { Caller, OfferedResult } from '../offers/offer.js';
import { formOf, readAnswer, unsupported, type FormAnswer } from './question-form.js';

/** A request that a call is part of: the one that began it, or one that brings answers. */
export interface CallRequest extends Pick<Caller, 'signal' | 'reportProgress' | 'reportLog'> {
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
  /** Returns the answer to the question with this key; undefined if the request brings none. */
  readAnswer(key: string): FormAnswer | undefined;
}

interface OpenQuestion {
  readonly form: ElicitRequestFormParams;
  answer(answer: FormAnswer): void;
  refuse(error: Error): void;
}

/** A call that goes on between the requests of a client without a session, which brings answers with its next request. */
export class HeldCall {
  readonly toolName: string;
  readonly #ending = new AbortController();
  readonly #over = new AbortController();
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #stopFollowing: () => void;
  #request: CallRequest | undefined;
  #canAsk: boolean;
  #asked = 0;
  #onQuestion = () => {};
  #result: Promise<OfferedResult> | undefined;

  /** Prepares a call that ends when the signal aborts. */
  constructor(toolName: string, request: CallRequest, signal: AbortSignal) {
    this.toolName = toolName;
    this.#request = request;
    this.#canAsk = request.canAsk;
    this.#stopFollowing = follow(signal, this.#ending);
  }

  /** Begins the call; returns false for an unknown tool. */
  begin(call: (caller: Caller) => Promise<OfferedResult> | undefined): boolean {
    const called = call({
      signal: this.#ending.signal,
      sessionId: '',
      // Nobody is there to see reports between two requests.
      reportProgress: async (report) => this.#request?.reportProgress(report),
      reportLog: async (line) => this.#request?.reportLog(line),
      ask: async (question) => this.#ask(question),
    });
    this.#result = called?.finally(() => {
      this.#stopFollowing();
      this.#over.abort(new Error('The call is over.'));
    });
    if (!called) this.#stopFollowing();
    return called !== undefined;
  }

  /** Goes on with a request until the call has a result, or asks: then it returns undefined. */
  async proceed(request: CallRequest): Promise<OfferedResult | undefined> {
    this.#request = request;
    this.#canAsk = request.canAsk;
    const stopFollowing = follow(request.signal, this.#ending);
    try {
      for (const [key, question] of this.#questions) {
        const answer = request.readAnswer(key);
        if (answer) question.answer(answer);
        // The library would answer with an error instead, and nobody would learn the state of the call.
        else if (!request.canAsk) question.refuse(unsupported());
      }
      for (;;) {
        const next = Promise.race([this.#result, this.#waitForQuestions()]);
        const result = await raceAbort(next, this.#ending.signal);
        if (result || this.#questions.size > 0) return result;
      }
    } finally {
      stopFollowing();
      this.#request = undefined;
    }
  }

  /** Resolves when the call has succeeded or failed. */
  async whenOver(): Promise<void> {
    await this.#result?.catch(() => {});
  }

  /** Returns the forms of the open questions by key. */
  listForms(): readonly (readonly [key: string, form: ElicitRequestFormParams])[] {
    return [...this.#questions].map(([key, { form }]) => [key, form]);
  }

  /** Lets every open question fail. */
  refuseQuestions(error: Error): void {
    for (const question of this.#questions.values()) question.refuse(error);
  }

  /** Waits for a question, and a turn longer: others may follow, and it may be withdrawn or the call be over. */
  async #waitForQuestions(): Promise<undefined> {
    if (this.#questions.size === 0) await new Promise<void>((resolve) => (this.#onQuestion = resolve));
    await setImmediate();
  }

  async #ask(question: ToolQuestion): Promise<string | number | boolean> {
    const form = formOf(question, this.#canAsk);
    const key = `question-${(this.#asked += 1)}`;
    const { promise: answered, resolve, reject } = Promise.withResolvers<FormAnswer>();
    const close = () => this.#questions.delete(key);
    this.#questions.set(key, {
      form,
      answer(answer) {
        close();
        resolve(answer);
      },
      refuse(error) {
        close();
        reject(error);
      },
    });
    this.#onQuestion();
    const signals = [this.#over.signal, question.signal ?? []].flat();
    const timeoutMs = Math.min(question.expiresInMs ?? INTERRUPT_EXPIRES_IN_MS, MAX_TIMER_MS);
    const createError = () => expired(question.name);
    try {
      const deadline = { timeoutMs, signal: AbortSignal.any(signals), createError };
      return readAnswer(question, await withDeadline(deadline, async () => answered));
    } finally {
      close();
    }
  }
}
