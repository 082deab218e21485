import {
  CheckpointResumeResponseSchema,
  ORCHESTRATOR_PATHS,
  StartSessionResponseSchema,
  type CheckpointResumeRequest,
  type CheckpointResumeResponse,
  type StartSessionRequestInput,
  type StartSessionResponse,
} from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { raceAbort, withDeadline } from '../deadline.js';
import { ConnectionError, MaivnHTTPError } from '../http/errors.js';
import { readEvents, type EventSourceOptions, type ServerEvent } from '../http/event-source.js';
import type { HttpClient, JsonRequest } from '../http/http-client.js';
import { IDEMPOTENT, UNANSWERED, WITHIN_RUN } from '../http/retry.js';
import type { Runtime } from '../runtime.js';

/** The orchestrator's response to a posted result; the original's has no fields. */
const PostedSchema = z.looseObject({ accepted: z.boolean().default(true), reason: z.string().optional() });
/** The orchestrator's response to a posted result. */
export type Posted = z.infer<typeof PostedSchema>;

/** How long a cancel may take, including retries, in milliseconds. */
const CANCEL_TIMEOUT_MS = 5_000;

/** How long to wait for the response to a request after the run has ended, in milliseconds. */
const LINGER_MS = 5_000;

/** Statuses of a cancel that leave nothing to do: the session is gone, has ended, or the server cannot cancel. */
const NOTHING_TO_CANCEL: ReadonlySet<number> = new Set([404, 405, 409, 410, 501]);

/** The HTTP requests of a run. */
export class SessionApi {
  readonly #http: HttpClient;
  /** The clock and timers of the requests. */
  readonly runtime: Runtime;

  constructor(http: HttpClient, runtime: Runtime) {
    this.#http = http;
    this.runtime = runtime;
  }

  /**
   * Opens a session; the orchestrator recognizes a repeated start by its client id, which is unique to the run. A
   * session whose URLs have another origin is ended and refused before anything is sent to them. If the run ends first,
   * the response is still awaited for a while, so that its session can be ended too.
   */
  async start(body: StartSessionRequestInput, signal: AbortSignal): Promise<StartSessionResponse> {
    const started = await this.#http.request({
      method: 'POST',
      target: ORCHESTRATOR_PATHS.startSession(),
      body,
      schema: StartSessionResponseSchema,
      retry: UNANSWERED,
      idempotencyKey: body.client_id ?? undefined,
      lingerMs: LINGER_MS,
      signal,
    });
    try {
      this.#http.resolve(started.events_url);
      this.#http.resolve(started.resume_url);
    } catch (error) {
      // The session cannot be followed. If it cannot be ended either, the orchestrator's own limits end it.
      await this.cancel(started.session_id).catch(() => undefined);
      throw error;
    }
    return started;
  }

  /** Returns the URLs of a session in which an original orchestrator continues. */
  addressesOf(sessionId: string): { eventsUrl: string; resumeUrl: string } {
    return {
      eventsUrl: ORCHESTRATOR_PATHS.events(sessionId),
      resumeUrl: ORCHESTRATOR_PATHS.resume(sessionId),
    };
  }

  /** Reads the events of a session, across broken connections. */
  events(options: Omit<EventSourceOptions, 'http' | 'runtime'>): AsyncGenerator<ServerEvent, void, void> {
    return readEvents({ ...options, http: this.#http, runtime: this.runtime });
  }

  /** Posts the result of a call. The orchestrator recognizes a repeated post by its tool event id. */
  async postResult(resumeUrl: string, value: unknown, signal: AbortSignal): Promise<Posted> {
    return this.#post({ target: resumeUrl, body: { value }, schema: PostedSchema }, signal);
  }

  /** Answers a question of the orchestrator. */
  async answerCheckpoint(
    checkpointId: string,
    body: CheckpointResumeRequest,
    signal: AbortSignal,
  ): Promise<CheckpointResumeResponse> {
    const target = ORCHESTRATOR_PATHS.checkpointResume(checkpointId);
    return this.#post({ target, body, schema: CheckpointResumeResponseSchema }, signal);
  }

  /**
   * Posts something within a run. Rejects as soon as the run ends, but then the request may still be answered: the end
   * of a run often overtakes the response to its last result. Aborting that request would close its connection, and
   * monitoring would report an error of a run that succeeded.
   */
  async #post<Schema extends z.ZodType>(
    request: Pick<JsonRequest<Schema>, 'target' | 'body' | 'schema'>,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const posting = this.#http.request({
      ...request,
      method: 'POST',
      retry: WITHIN_RUN,
      lingerMs: LINGER_MS,
      signal,
    });
    return raceAbort(posting, signal);
  }

  /** Ends a session at the orchestrator, unless it has already ended. A reason that is too long is cut. */
  async cancel(sessionId: string, reason?: string): Promise<void> {
    const createError = () =>
      new ConnectionError(
        `The orchestrator did not confirm within ${CANCEL_TIMEOUT_MS} ms that the session was cancelled.`,
        {
          code: 'HTTP_TIMEOUT',
          isTransient: true,
        },
      );
    try {
      await withDeadline({ timeoutMs: CANCEL_TIMEOUT_MS, createError }, async (signal) =>
        this.#http.request({
          method: 'DELETE',
          target: ORCHESTRATOR_PATHS.session(sessionId),
          body: reason === undefined ? undefined : { reason },
          schema: z.unknown(),
          retry: { ...IDEMPOTENT, maxAttempts: 3 },
          signal,
        }),
      );
    } catch (error) {
      if (!(error instanceof MaivnHTTPError) || !NOTHING_TO_CANCEL.has(error.statusCode)) throw error;
    }
  }
}
