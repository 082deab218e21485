import { PROTOCOL_VERSION, type FinalPayload, type StartSessionResponse } from '@svc/contracts/orchestrator';
import type { StreamEvent } from '../compile/stream-event.js';
import { raceAbort } from '../deadline.js';
import { CallBook } from '../dependencies/call-book.js';
import type { ServerEvent } from '../http/event-source.js';
import { ConnectionError } from '../http/errors.js';
import { cutText } from '../cut-text.js';
import { isRecord } from '../is-record.js';
import type { Logger } from '../logging/logger.js';
import { CheckpointAnswerer } from './answer-checkpoint.js';
import { CollectedAnswers } from './collected-answers.js';
import type { CallHost } from './execute-call.js';
import { readResponse, type InvokeResponse, type SessionIds } from './invoke-response.js';
import { judgeResponse } from './judge-response.js';
import { parseFinal } from './parse-final.js';
import type { RunContext } from './run-context.js';
import type { SessionSetup } from './session-setup.js';
import { readStreamError, UNKNOWN_ERROR, type StreamError } from './stream-error.js';
import { ToolLoop } from './tool-loop.js';

/** The fields of `error` and `final` that describe an error. */
const ERROR_FIELDS: ReadonlySet<string> = new Set(['error', 'error_info', 'details', 'message']);

/** How much of a version is logged, in characters. */
const MAX_SHOWN_VERSION = 32;

/** Shows an event of the stream to readers. */
export type ShowEvent = (event: StreamEvent) => Promise<void>;

/**
 * Runs one session from its start request to its `final` event: shows the events, runs the tools, answers the questions.
 * Follows an original orchestrator to the session in which it continues after a question. Rejects without a `final`, and
 * for one of a run that did not complete.
 */
export async function runSession(
  setup: SessionSetup,
  context: RunContext,
  show: ShowEvent,
): Promise<InvokeResponse> {
  const started = await startSession(setup, context);
  const session = new Session(setup, context, show, started);
  const { signal } = context;
  // Without its final event, the session may still be running. It is abandoned at once, so that close() can wait for that.
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
  return judgeResponse(response, session.streamError);
}

/** Starts a session. If the run ends meanwhile, the session is abandoned once the response with its id arrives. */
async function startSession({ request }: SessionSetup, context: RunContext): Promise<StartSessionResponse> {
  // A cancelled run may still wait for its open sessions to end, but must not open another one.
  context.workSignal.throwIfAborted();
  const starting = context.api.start(request, context.signal);
  try {
    const started = await raceAbort(starting, context.signal);
    warnOfOtherVersion(started, context.logger);
    return started;
  } catch (error) {
    if (context.signal.aborted) context.abandon(starting.then(({ session_id: id }) => id));
    throw error;
  }
}

/** Not an error: a run may work anyway, but one that fails does so with errors that do not name the cause. */
function warnOfOtherVersion({ protocol_version: version }: StartSessionResponse, logger: Logger): void {
  if (version == null || version === PROTOCOL_VERSION) return;
  logger.warn('The orchestrator has another protocol version; update the older one of it and this SDK.', {
    orchestrator_version: cutText(version, MAX_SHOWN_VERSION),
    sdk_version: PROTOCOL_VERSION,
  });
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
  /** The first `error` event: a stream that closes after it is not reopened. */
  #streamError: StreamError | undefined;
  /** The `final` of a session that may continue in another one; shown if it does not. */
  #withheldFinal: Readonly<Record<string, unknown>> = {};

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
    const currentId = () => this.id;
    const host: CallHost = {
      context: this.#context,
      setup,
      get sessionId() {
        return currentId();
      },
      book: new CallBook(setup.openedBy),
      collected: new CollectedAnswers(),
    };
    const callbacks = {
      post: async (value: unknown) => this.#post(value),
      fail: (error: unknown) => this.#failure.abort(error),
    };
    this.#tools = new ToolLoop(host, callbacks);
    this.#checkpoints = new CheckpointAnswerer(host, callbacks);
  }

  /** Derives a context whose work stops with this session and emits nothing after its end. */
  #ownContext(context: RunContext, sessionId: string): RunContext {
    const { signal: ended } = this.#failure;
    return {
      ...context,
      logger: context.logger.child({ session_id: sessionId }),
      // Aborts with the run, and when this session fails or ends: sessions opened by its calls end with it.
      signal: AbortSignal.any([context.signal, ended]),
      workSignal: AbortSignal.any([context.workSignal, ended]),
      emit: async (event) => (ended.aborted ? undefined : context.emit(event)),
    };
  }

  async run(): Promise<InvokeResponse> {
    for (;;) {
      const final = await this.#readToFinal();
      if (final.status !== 'interrupted' || !this.#checkpoints.isAnswering)
        return readResponse(final, this.#ids);
      const nextSessionId = await this.#checkpoints.nextSession();
      if (nextSessionId !== undefined) this.#moveTo(nextSessionId);
      // Without an answer, the run ends for the reason why there is none, such as a cancel.
      this.#context.workSignal.throwIfAborted();
      if (nextSessionId === undefined) {
        await this.#show({ name: 'final', payload: this.#withheldFinal });
        return readResponse(final, this.#ids);
      }
    }
  }

  /** Moves on to another session, which ends with the run; the previous one has ended at the orchestrator. */
  #moveTo(sessionId: string): void {
    const { openSessions, api } = this.#context;
    openSessions.delete(this.id);
    openSessions.add(sessionId);
    this.#ids = { ...this.#ids, sessionId };
    this.#address = api.addressesOf(sessionId);
  }

  /** The orchestrator's id of the session, or of the one in which it continues. */
  get id(): string {
    return this.#ids.sessionId;
  }

  /**
   * Cleans what a payload says about an error: it is shown, thrown and logged, and must not contain a secret that the
   * orchestrator came across.
   */
  #cleanErrors(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const errors = Object.entries(payload).filter(([name]) => ERROR_FIELDS.has(name));
    return { ...payload, ...this.#context.privateValues.cleanFields(Object.fromEntries(errors)) };
  }

  /** The content of the first `error` event, if there was one. */
  get streamError(): StreamError | undefined {
    return this.#streamError;
  }

  /** Stops all work of this session. */
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
      mayReconnect: () => this.#streamError === undefined,
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
    const { message, details } = this.#streamError ?? UNKNOWN_ERROR;
    throw new ConnectionError(`The orchestrator reported an error and closed the stream: ${message}`, {
      code: 'RUN_STREAM_ERROR',
      isTransient: false,
      details,
    });
  }

  /** Handles an event; returns a `final`. */
  async #take(event: ServerEvent): Promise<FinalPayload | undefined> {
    const received = isRecord(event.payload) ? event.payload : {};
    const isEnd = event.name === 'final' || event.name === 'error';
    const payload = isEnd ? this.#cleanErrors(received) : received;
    const isFinished = payload['contract_version'] !== undefined && typeof payload['event_name'] === 'string';
    if (event.name === 'tool_event' && !isFinished) {
      // A repeated one too: the orchestrator's store may have lost the result that was posted.
      this.#tools.handle(payload);
      return undefined;
    }
    if (event.isRepeated) return undefined;
    if (event.name === 'final') return this.#takeFinal(payload);
    if (event.name === 'error') {
      this.#streamError ??= readStreamError(payload);
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
    const mayContinue = final.status === 'interrupted' && this.#checkpoints.isAnswering;
    if (mayContinue) this.#withheldFinal = payload;
    else await this.#show({ name: 'final', payload });
    return final;
  }

  /** Posts a result or an answer. A failure ends the session; never rejects. */
  async #post(value: unknown): Promise<void> {
    const { api, logger, signal } = this.#context;
    const { resumeUrl } = this.#address;
    try {
      const posted = await api.postResult(resumeUrl, value, signal);
      if (!posted.accepted) {
        logger.info('The orchestrator did not accept a result.', { reason: posted.reason });
      }
    } catch (error) {
      // If the session has ended meanwhile, the result is not needed; otherwise the session cannot continue without it.
      if (!signal.aborted) this.#failure.abort(error);
    }
  }
}

/** Ensures that a question has an id, by which it is answered. */
function withInterruptId(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return payload['interrupt_id'] ? payload : { ...payload, interrupt_id: payload['checkpoint_id'] };
}
