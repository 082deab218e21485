import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { inspect } from 'node:util';
import type { StreamEvent } from '../compile/stream-event.js';
import { abortAfter, follow } from '../deadline.js';
import { OpenInterrupts } from '../interrupts/open-interrupts.js';
import { RunFailedError } from './errors.js';
import { EventQueue } from './event-queue.js';
import { createEmptyResponse, type InvokeResponse } from './invoke-response.js';
import { LazyPromise } from './lazy-promise.js';
import type { RunContext } from './run-context.js';
import type { RunRegistry } from './run-registry.js';

/** The parts of a run's context that the run itself owns. */
export type OwnedByRun = Pick<
  RunContext,
  'runId' | 'signal' | 'workSignal' | 'interrupts' | 'openSessions' | 'abandon' | 'isAttended' | 'emit'
>;

/** The work of an {@link AgentRun}. */
export interface RunWork<Result> {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly registry: Pick<RunRegistry<AgentRun>, 'add' | 'remove' | 'track'>;
  /** Executes the whole run. Rejects if the run does not complete. */
  readonly execute: (owned: OwnedByRun) => Promise<InvokeResponse<Result>>;
  /** Ends a session at the orchestrator, for the caller's reason. */
  readonly cancelSession: (sessionId: string, reason: string | undefined) => Promise<void>;
  /** Makes the caller's reason for a cancel fit to be shown: short and without private values. */
  readonly cleanReason: (reason: string) => string;
}

/** How long to wait for the last events of a cancelled run, in milliseconds. */
const CANCEL_GRACE_MS = 5_000;

/**
 * A run of an agent or a swarm: an async iterable of its events, and a promise of its response. It starts when it is first
 * iterated or its response is awaited. Leaving the loop early cancels it. The loop ends after a `final` event, also for a
 * failed run, whose `response` rejects; if there was none, the loop throws the error. A run that is cancelled always has one.
 *
 * Await the response after the loop, not in it: once 1,024 events are queued, the run waits for the loop, until `timeoutMs`.
 */
export class AgentRun<Result = unknown> implements AsyncIterable<StreamEvent>, AsyncDisposable {
  /** The id of the run, by which another request can find it (`agent.runs.get(id)`). */
  readonly id: string;
  /** The response of the run. Awaiting it starts the run; if nobody awaits it, a failure is not an unhandled rejection. */
  readonly response: Promise<InvokeResponse<Result>>;

  readonly #work: RunWork<Result>;
  readonly #queue = new EventQueue();
  readonly #interrupts = new OpenInterrupts();
  readonly #openSessions = new Set<string>();
  readonly #runAbort = new AbortController();
  readonly #workAbort = new AbortController();
  #running: Promise<InvokeResponse<Result>> | undefined;
  #cancelReason: string | undefined;
  #isSettled = false;
  #hasShownFinal = false;

  constructor(work: RunWork<Result>) {
    this.id = work.id;
    this.#work = work;
    this.response = new LazyPromise(() => this.#start());
    this.#workAbort.signal.addEventListener('abort', () => this.#queue.stopWaiting(), { once: true });
  }

  /**
   * Answers an open question of this run. Rejects for an unknown, answered or expired question, and for an invalid
   * answer.
   */
  async answer(interruptId: string, value: unknown): Promise<void> {
    this.#interrupts.answer(interruptId, value);
  }

  /**
   * Cancels the run: its tools, its questions and the orchestrator's session, whose `final` contains the reason. If there
   * is no session yet, or it sends none, the run adds one. Resolves when the run has ended.
   */
  async cancel(reason?: string | null): Promise<void> {
    if (this.#isSettled) return;
    const text = this.#textOf(reason);
    this.#cancelReason ??= text;
    const error = cancelledError(text);
    this.#workAbort.abort(error);
    if (!this.#running) this.#runAbort.abort(error);
    const running = this.#start();
    await this.#cancelSessions();
    const grace = setTimeout(() => this.#runAbort.abort(error), CANCEL_GRACE_MS);
    try {
      if (this.#openSessions.size === 0) this.#runAbort.abort(error);
      await running;
    } catch {
      // `response` reports how the run ended; here it only matters that it did.
    } finally {
      clearTimeout(grace);
    }
  }

  /** Iterates over the events of the run. A run has one reader: several iterators share the events between them. */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, void, void> {
    this.#queue.attend();
    return {
      next: async () => {
        void this.#start();
        const value = await this.#queue.next();
        return value ? { done: false, value } : { done: true, value: undefined };
      },
      return: async () => {
        this.#queue.detach();
        const error = cancelledError('The reader left the loop.');
        if (!this.#isSettled) this.#runAbort.abort(error);
        await this.#running?.catch(() => undefined);
        return { done: true, value: undefined };
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel();
  }

  [inspect.custom](): string {
    return `AgentRun { id: '${this.id}' }`;
  }

  #start(): Promise<InvokeResponse<Result>> {
    if (!this.#running) {
      this.#running = this.#run();
      // The failure is reported to whoever awaits the response; nobody has to.
      this.#running.catch(() => undefined);
    }
    return this.#running;
  }

  async #run(): Promise<InvokeResponse<Result>> {
    const { registry, signal, timeoutMs } = this.#work;
    registry.add(this);
    const stopFollowing = follow(signal, this.#runAbort);
    follow(this.#runAbort.signal, this.#workAbort);
    const stopTimer = abortAfter(timeoutMs, this.#runAbort, timeoutError);
    try {
      this.#runAbort.signal.throwIfAborted();
      const response = await this.#work.execute(this.#owned());
      this.#queue.close();
      return response;
    } catch (error) {
      this.#closeQueue(error);
      throw error;
    } finally {
      this.#isSettled = true;
      stopTimer();
      stopFollowing();
      this.#runAbort.abort(new DOMException('The run is over.', 'AbortError'));
      registry.remove(this);
    }
  }

  /** Returns the text of a reason, which may come from a signal and be anything: the run is cancelled whatever it is. */
  #textOf(reason: unknown): string | undefined {
    try {
      return reason ? this.#work.cleanReason(String(reason)) : undefined;
    } catch {
      // An object may not have a text, and one that cannot be searched for private values is not shown.
      return undefined;
    }
  }

  #closeQueue(error: unknown): void {
    if (this.#hasShownFinal) return this.#queue.close();
    const isCancelled = error instanceof RunFailedError && error.code === 'RUN_CANCELLED';
    this.#queue.close(isCancelled ? { last: finalOf(error.response) } : { error });
  }

  #owned(): OwnedByRun {
    return {
      runId: this.id,
      signal: this.#runAbort.signal,
      workSignal: this.#workAbort.signal,
      interrupts: this.#interrupts,
      openSessions: this.#openSessions,
      abandon: (sessionId) => this.#work.registry.track(this.#cancelSession(sessionId)),
      isAttended: () => this.#queue.isAttended,
      emit: async (event) => {
        if (event.name === 'final') this.#hasShownFinal = true;
        await this.#queue.push(event);
      },
    };
  }

  async #cancelSessions(): Promise<void> {
    await Promise.all([...this.#openSessions].map(async (id) => this.#cancelSession(id)));
  }

  async #cancelSession(sessionId: string | Promise<string>): Promise<void> {
    try {
      await this.#work.cancelSession(await sessionId, this.#cancelReason);
    } catch {
      // The session was not opened, or the orchestrator is unreachable: its own limits end the session.
    }
  }
}

function cancelledError(reason?: string): RunFailedError {
  const plain = 'The run was cancelled.';
  const error = { code: 'RUN_CANCELLED', message: reason ?? plain };
  return new RunFailedError(reason === undefined ? plain : `The run was cancelled: ${reason}`, {
    code: error.code,
    response: createEmptyResponse('cancelled', error),
  });
}

/** The `final` of a run for which the orchestrator sent none. */
function finalOf({ status, error }: InvokeResponse): StreamEvent {
  const failure = error && { error: error.message, error_info: error };
  return {
    name: 'final',
    payload: { status, messages: [], metadata: {}, responses: [], result: null, ...failure },
  };
}

function timeoutError(timeoutMs: number): MaivnSDKError {
  return new MaivnSDKError(
    `The run did not finish within ${timeoutMs} ms. Raise timeoutMs if it needs longer.`,
    {
      code: 'RUN_TIMEOUT',
      details: { timeout_ms: timeoutMs },
    },
  );
}
