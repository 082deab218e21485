import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { inspect } from 'node:util';
import type { StreamEvent } from '../compile/stream-event.js';
import { follow, MAX_TIMER_MS } from '../deadline.js';
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

/** What an {@link AgentRun} does when it starts. */
export interface RunWork<Result> {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly registry: Pick<RunRegistry<AgentRun>, 'add' | 'remove' | 'track'>;
  /** Does the whole run. A run that ended badly rejects. */
  readonly execute: (owned: OwnedByRun) => Promise<InvokeResponse<Result>>;
  /** Ends a session at the orchestrator, for the reason that the caller gave. */
  readonly cancelSession: (sessionId: string, reason: string | undefined) => Promise<void>;
}

/** How long a cancelled run's last events are waited for, in milliseconds. */
const CANCEL_GRACE_MS = 5_000;

/**
 * One run of an agent or a swarm: an async iterable of its events, and a promise of its response. It starts when it is
 * first iterated or its response is awaited. Leaving the loop cancels it. After a `final` event the loop ends, also for a
 * failed run, whose `response` rejects; without one, the loop throws what went wrong.
 */
export class AgentRun<Result = unknown> implements AsyncIterable<StreamEvent>, AsyncDisposable {
  /** What the run is known by, here and in another request (`agent.runs.get(id)`). */
  readonly id: string;
  /** What the run comes to. Awaiting it starts the run; if nobody awaits it, a failure is no unhandled rejection. */
  readonly response: Promise<InvokeResponse<Result>>;

  readonly #work: RunWork<Result>;
  readonly #queue = new EventQueue();
  readonly #interrupts = new OpenInterrupts();
  readonly #openSessions = new Set<string>();
  readonly #hard = new AbortController();
  readonly #soft = new AbortController();
  #running: Promise<InvokeResponse<Result>> | undefined;
  #cancelReason: string | undefined;
  #isSettled = false;
  #hasShownFinal = false;

  constructor(work: RunWork<Result>) {
    this.id = work.id;
    this.#work = work;
    this.response = new LazyPromise(() => this.#start());
    this.#soft.signal.addEventListener('abort', () => this.#queue.hurry(), { once: true });
  }

  /** Answers an open question of this run. An unknown, answered or expired one, and an unfit answer, are refused. */
  async answer(interruptId: string, value: unknown): Promise<void> {
    this.#interrupts.answer(interruptId, value);
  }

  /** Stops the run: its tools, its questions and the orchestrator's session, whose `final` gives the reason. Resolves when it is over. */
  async cancel(reason?: string | null): Promise<void> {
    if (this.#isSettled) return;
    // It may come from a signal, whose reason is of any type.
    const told = reason ? String(reason) : undefined;
    this.#cancelReason ??= told;
    const error = cancelledError(told ?? 'The run was cancelled.');
    this.#soft.abort(error);
    if (!this.#running) this.#hard.abort(error);
    const running = this.#start();
    await this.#cancelSessions();
    const grace = setTimeout(() => this.#hard.abort(error), CANCEL_GRACE_MS);
    try {
      if (this.#openSessions.size === 0) this.#hard.abort(error);
      await running;
    } catch {
      // How the run ended is told by `response`; here only that it ended matters.
    } finally {
      clearTimeout(grace);
    }
  }

  /** The run's events. There is one reader: iterators of one run share the events between them. */
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
        if (!this.#isSettled) this.#hard.abort(error);
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
      // Whoever awaits the response gets the failure; nobody has to.
      this.#running.catch(() => undefined);
    }
    return this.#running;
  }

  async #run(): Promise<InvokeResponse<Result>> {
    const { registry, signal, timeoutMs } = this.#work;
    registry.add(this);
    const stopFollowing = follow(signal, this.#hard);
    follow(this.#hard.signal, this.#soft);
    const timer =
      timeoutMs <= MAX_TIMER_MS
        ? setTimeout(() => this.#hard.abort(timeoutError(timeoutMs)), timeoutMs)
        : undefined;
    try {
      this.#hard.signal.throwIfAborted();
      const response = await this.#work.execute(this.#owned());
      this.#queue.close();
      return response;
    } catch (error) {
      this.#queue.close(this.#hasShownFinal ? {} : { error });
      throw error;
    } finally {
      this.#isSettled = true;
      clearTimeout(timer);
      stopFollowing();
      this.#hard.abort(new DOMException('The run is over.', 'AbortError'));
      registry.remove(this);
    }
  }

  #owned(): OwnedByRun {
    return {
      runId: this.id,
      signal: this.#hard.signal,
      workSignal: this.#soft.signal,
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
      // It was not opened, or could not be told; the orchestrator's own limits end the session.
    }
  }
}

function cancelledError(reason: string): RunFailedError {
  const error = { code: 'RUN_CANCELLED', message: reason };
  return new RunFailedError(`The run was cancelled: ${reason}`, {
    code: error.code,
    response: createEmptyResponse('cancelled', error),
  });
}

function timeoutError(timeoutMs: number): MaivnSDKError {
  return new MaivnSDKError(
    `The run did not end within ${timeoutMs} ms. Raise timeoutMs if it needs longer.`,
    {
      code: 'RUN_TIMEOUT',
      details: { timeout_ms: timeoutMs },
    },
  );
}
