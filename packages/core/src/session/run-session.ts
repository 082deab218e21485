import type { FinalPayload, StartSessionResponse } from '@svc/contracts/orchestrator';
import type { StreamEvent } from '../compile/stream-event.js';
import { raceAbort } from '../deadline.js';
import { CallBook } from '../dependencies/call-book.js';
import type { ServerEvent } from '../http/event-source.js';
import { ConnectionError } from '../http/errors.js';
import { CheckpointAnswerer } from './answer-checkpoint.js';
import { CollectedAnswers } from './collected-answers.js';
import type { CallHost } from './execute-call.js';
import { readResponse, type InvokeResponse, type SessionIds } from './invoke-response.js';
import { judgeResponse } from './judge-response.js';
import { parseFinal } from './parse-final.js';
import type { RunContext } from './run-context.js';
import type { SessionSetup } from './session-setup.js';
import { readToldError, UNTOLD, type ToldError } from './told-error.js';
import { ToolLoop } from './tool-loop.js';

/** What to do with an event of the stream besides what the session itself does with it. */
export type ShowEvent = (event: StreamEvent) => Promise<void>;

/**
 * Runs one session from its start request to its `final` event: shows the events, runs the tools, answers the questions.
 * A session that an original orchestrator goes on in after a question is followed. Rejects when no `final` came, or one that tells of a bad end.
 */
export async function runSession(
  setup: SessionSetup,
  context: RunContext,
  show: ShowEvent,
): Promise<InvokeResponse> {
  const started = await startSession(setup, context);
  const session = new Session(setup, context, show, started);
  const { signal } = context;
  // Without its final event it may go on over there. That is told at once, so that who closes the scope can wait for it.
  let isAbandoned = false;
  const abandon = () => {
    if (!isAbandoned) context.abandon(session.id);
    isAbandoned = true;
  };
  signal.addEventListener('abort', abandon, { once: true });
  let response: InvokeResponse;
  try {
    response = await session.run();
  } catch (error) {
    abandon();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
    session.close();
  }
  return judgeResponse(response, session.toldError);
}

/** Ends with the run, and leaves no session behind: what the start opened meanwhile is told by its answer alone. */
async function startSession({ request }: SessionSetup, context: RunContext): Promise<StartSessionResponse> {
  // What is cancelled may still wait for the ends of sessions that are open, and opens no other.
  context.workSignal.throwIfAborted();
  const starting = context.api.start(request, context.signal);
  try {
    return await raceAbort(starting, context.signal);
  } catch (error) {
    if (context.signal.aborted) context.abandon(starting.then(({ session_id: id }) => id));
    throw error;
  }
}

/** One open session. */
class Session {
  readonly #context: RunContext;
  readonly #show: ShowEvent;
  readonly #failure = new AbortController();
  #ids: SessionIds;
  readonly #tools: ToolLoop;
  readonly #checkpoints: CheckpointAnswerer;
  #address: { eventsUrl: string; resumeUrl: string };
  /** The first `error` event: a stream that closes after it is not opened again. */
  #toldError: ToldError | undefined;

  constructor(setup: SessionSetup, context: RunContext, show: ShowEvent, started: StartSessionResponse) {
    this.#context = this.#ownContext(context, started.session_id);
    this.#show = show;
    this.#address = { eventsUrl: started.events_url, resumeUrl: started.resume_url };
    this.#ids = {
      sessionId: started.session_id,
      threadId: started.thread_id ?? setup.request.thread_id ?? undefined,
      assistantId: started.assistant_id ?? undefined,
    };
    context.openSessions.add(this.id);
    const host: CallHost = {
      context: this.#context,
      setup,
      sessionId: started.session_id,
      book: new CallBook(setup.openedBy),
      collected: new CollectedAnswers(),
    };
    const line = {
      post: async (value: unknown) => this.#post(value),
      fail: (error: unknown) => this.#failure.abort(error),
    };
    this.#tools = new ToolLoop(host, line);
    this.#checkpoints = new CheckpointAnswerer(host, line);
  }

  /** The run's context, but what works for this session stops with it and shows nothing after its end. */
  #ownContext(context: RunContext, sessionId: string): RunContext {
    const { signal: ended } = this.#failure;
    return {
      ...context,
      logger: context.logger.child({ session_id: sessionId }),
      // Aborts with the run, and when this session fails or ends: the sessions that its calls opened end with it.
      signal: AbortSignal.any([context.signal, ended]),
      workSignal: AbortSignal.any([context.workSignal, ended]),
      emit: async (event) => (ended.aborted ? undefined : context.emit(event)),
    };
  }

  async run(): Promise<InvokeResponse> {
    for (;;) {
      const final = await this.#readToFinal();
      const nextSessionId =
        final.status === 'interrupted' ? await this.#checkpoints.nextSession() : undefined;
      if (nextSessionId === undefined) return this.#withCleanError(readResponse(final, this.#ids));
      this.#moveTo(nextSessionId);
    }
  }

  /** What is left is over at the orchestrator; the other one is to be ended with the run. */
  #moveTo(sessionId: string): void {
    const { openSessions, api } = this.#context;
    openSessions.delete(this.id);
    openSessions.add(sessionId);
    this.#ids = { ...this.#ids, sessionId };
    this.#address = api.addressesOf(sessionId);
  }

  /** The orchestrator's id of the session, or of the one that it goes on in. */
  get id(): string {
    return this.#ids.sessionId;
  }

  /** An error is logged by whoever catches it, so it repeats no secret that the orchestrator came across. */
  #withCleanError(response: InvokeResponse): InvokeResponse {
    const { error } = response;
    if (!error) return response;
    const message = this.#context.privateValues.cleanText(error.message);
    return Object.freeze({ ...response, error: { ...error, message } });
  }

  /** What the first `error` event said, if there was one. */
  get toldError(): ToldError | undefined {
    return this.#toldError;
  }

  /** Stops whatever still works for this session. */
  close(): void {
    this.#context.openSessions.delete(this.id);
    this.#failure.abort(new DOMException('The session has ended.', 'AbortError'));
  }

  async #readToFinal(): Promise<FinalPayload> {
    const { api, logger, signal } = this.#context;
    const events = api.events({
      url: this.#address.eventsUrl,
      logger,
      signal,
      mayReconnect: () => this.#toldError === undefined,
    });
    try {
      for await (const event of events) {
        const final = await this.#take(event);
        if (final) return final;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    const { message, details } = this.#toldError ?? UNTOLD;
    throw new ConnectionError(`The orchestrator reported an error and closed the stream: ${message}`, {
      code: 'RUN_STREAM_ERROR',
      isTransient: false,
      details,
    });
  }

  /** Does what an event asks for; a `final` comes back. */
  async #take(event: ServerEvent): Promise<FinalPayload | undefined> {
    const payload = asObject(event.payload);
    const isFinished = payload['contract_version'] !== undefined && typeof payload['event_name'] === 'string';
    if (event.name === 'tool_event' && !isFinished) {
      this.#tools.handle(payload);
      return undefined;
    }
    if (event.name === 'final') return this.#takeFinal(payload);
    if (event.name === 'error') {
      const { message, ...rest } = readToldError(payload);
      this.#toldError ??= { ...rest, message: this.#context.privateValues.cleanText(message) };
    }
    this.#checkpoints.handle(event.name, payload);
    if (event.name === 'interrupt_request') return undefined;
    await this.#show({
      name: event.name,
      payload: event.name === 'interrupt_required' ? withInterruptId(payload) : payload,
    });
    return undefined;
  }

  async #takeFinal(payload: Readonly<Record<string, unknown>>): Promise<FinalPayload> {
    const final = parseFinal(payload, this.#context.logger);
    const goesOn = final.status === 'interrupted' && this.#checkpoints.isAnswering;
    if (!goesOn) await this.#show({ name: 'final', payload });
    return final;
  }

  /** Sends a result or an answer. What cannot be sent ends the session; it never rejects. */
  async #post(value: unknown): Promise<void> {
    const { api, logger, signal } = this.#context;
    const { resumeUrl } = this.#address;
    try {
      const posted = await api.postResult(resumeUrl, value, signal);
      if (!posted.accepted) {
        logger.info('The orchestrator did not take a result.', { reason: posted.reason });
      }
    } catch (error) {
      // Nobody waits for it any more if the session ended while it was on its way; else nothing goes on without it.
      if (!signal.aborted) this.#failure.abort(error);
    }
  }
}

function asObject(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? { ...payload } : {};
}

/** An answer names the question by its id, so a question always has one. */
function withInterruptId(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return payload['interrupt_id'] ? payload : { ...payload, interrupt_id: payload['checkpoint_id'] };
}
