import type { EventEnvelope } from '@svc/contracts';
import type { Audience } from '../audience/audience.js';
import { readOptions, show } from '../check-option.js';
import type { EventReader } from '../delivery/event-reader.js';
import { safePage } from '../delivery/project-page.js';
import { readHistory } from '../delivery/read-history.js';
import { sseStream } from '../delivery/sse-stream.js';
import { streamResponse } from '../delivery/stream-response.js';
import type { LogPage } from '../log/log-page.js';
import { type AgentAssignmentArguments, composeAgentAssignment } from '../payloads/assignment.js';
import { type AssistantChunkArguments, buildAssistantChunkPayload } from '../payloads/assistant.js';
import { composeEnrichment, type EnrichmentArguments } from '../payloads/enrichment.js';
import { buildHookFiredPayload, type HookFiredArguments } from '../payloads/hook.js';
import { buildInterruptRequiredPayload, type InterruptRequiredArguments } from '../payloads/interrupt.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildStatusMessagePayload, type StatusMessageArguments } from '../payloads/status.js';
import {
  buildSystemToolChunkPayload,
  composeSystemToolComplete,
  composeSystemToolStart,
  type SystemToolChunkArguments,
  type SystemToolCompleteArguments,
  type SystemToolStartArguments,
} from '../payloads/system-tool.js';
import { composeToolEvent, type ToolEventArguments } from '../payloads/tool.js';
import {
  buildSessionStartPayload,
  composeError,
  composeEmittedFinal,
  type ErrorEmission,
  type FinalEmission,
  type SessionStartArguments,
} from '../payloads/turn.js';
import { draftOf } from '../pipeline/draft.js';
import { rebuild } from '../pipeline/rebuild.js';
import { timestampNow } from '../pipeline/timestamp.js';
import { BridgeReaders, readStreamOptions } from './bridge-readers.js';
import type { ReaderOptions, StreamOptions, WaitForReader } from './bridge-readers.js';
import { resolveOptions } from './options.js';
import type { BridgeSettings, EventBridgeOptions } from './options.js';
import { TurnWriter } from './turn-writer.js';

/** The options of `bridge.close()`. */
export interface CloseOptions {
  /**
   * Only releases the session in this process: its readers end, and the session can continue elsewhere, or here later.
   * @default false
   */
  keepSession?: boolean | undefined;
}

/**
 * The events of one session. A bridge delivers every emitted event to every reader, in order and exactly once.
 *
 * All emit methods resolve when the event is in the log and, with `backpressure: 'block'`, when this process's readers
 * have room. `final` and `error` end the turn: later events are dropped with a warning until `reopen()`.
 *
 * @example
 * const bridge = new EventBridge('session-1', { audience: 'frontend_safe' });
 * await bridge.emitToolEvent({ toolName: 'search', toolId: 't1', status: 'executing' });
 * const response = await bridge.toResponse(request);
 */
export class EventBridge {
  /** The id of the session. */
  readonly sessionId: string;
  readonly #settings: BridgeSettings;
  readonly #readers: BridgeReaders;
  readonly #turns: TurnWriter;
  /** How it was closed; undefined while it is open. */
  #closing: { readonly keepSession: boolean; done: Promise<void> } | undefined;
  /** Whether the close is over, so that this process no longer serves the session. */
  #isReleased = false;

  /**
   * @throws RangeError or TypeError naming the invalid option.
   * @throws TypeError if the session id is blank, or not well-formed Unicode: stores would take it for another one.
   */
  constructor(sessionId: string, options: EventBridgeOptions = {}) {
    if (typeof sessionId !== 'string' || sessionId.trim() === '' || !sessionId.isWellFormed()) {
      throw new TypeError(`sessionId must be a non-blank, well-formed string, got ${show(sessionId)}`);
    }
    this.sessionId = sessionId;
    this.#settings = resolveOptions(options);
    this.#readers = new BridgeReaders(sessionId, this.#settings, () => this.#turns.epoch);
    this.#turns = new TurnWriter(sessionId, this.#settings, this.#readers.room);
  }

  /** The audience of the bridge, which limits that of its readers. */
  get audience(): Audience {
    return this.#settings.audience;
  }

  /** Whether events are refused until `reopen()`, because the turn or the session has ended. */
  get closed(): boolean {
    return this.#turns.isClosed;
  }

  /** The number of readers attached in this process. */
  get subscriberCount(): number {
    return this.#readers.room.size;
  }

  /** @internal The newest entry this process wrote. */
  get headSeq(): number | undefined {
    return this.#turns.headSeq;
  }

  /**
   * Emits an event by name. Payloads of known families are rebuilt with their builders; other events pass unchanged.
   *
   * @throws TypeError if the name contains CR, LF or NUL.
   * @throws EventSchemaError if the payload is not an object; in `strict` also if it is malformed.
   */
  emit(eventName: string, payload: object): Promise<void> {
    return this.#turns.emit(() => rebuild(eventName, payload));
  }

  /** Emits `tool_event`: a tool call started, progressed or ended. */
  emitToolEvent(event: ToolEventArguments): Promise<void> {
    return this.#emitTyped('tool_event', event, composeToolEvent);
  }

  /** Emits `system_tool_start`: an orchestrator tool started. */
  emitSystemToolStart(event: SystemToolStartArguments): Promise<void> {
    return this.#emitTyped('system_tool_start', event, composeSystemToolStart);
  }

  /** Emits `system_tool_chunk`: an orchestrator tool reported progress. */
  emitSystemToolChunk(event: SystemToolChunkArguments): Promise<void> {
    return this.#emitTyped('system_tool_chunk', event, buildSystemToolChunkPayload);
  }

  /** Emits `system_tool_complete`: an orchestrator tool completed. */
  emitSystemToolComplete(event: SystemToolCompleteArguments): Promise<void> {
    return this.#emitTyped('system_tool_complete', event, composeSystemToolComplete);
  }

  /** Emits `assistant_chunk`: a part of the answer to append. */
  emitAssistantChunk(event: AssistantChunkArguments): Promise<void> {
    return this.#emitTyped('assistant_chunk', event, buildAssistantChunkPayload);
  }

  /** Emits `status_message`: a single status line. */
  emitStatusMessage(event: StatusMessageArguments): Promise<void> {
    return this.#emitTyped('status_message', event, buildStatusMessagePayload);
  }

  /** Emits `interrupt_required`: a question to a person. `timestamp` defaults to the current time. */
  emitInterruptRequired(event: InterruptRequiredArguments): Promise<void> {
    return this.#emitTyped('interrupt_required', event, (fields) =>
      buildInterruptRequiredPayload({ ...fields, timestamp: fields.timestamp ?? timestampNow() }),
    );
  }

  /** Emits `agent_assignment`: a swarm member received, works on or finished an assignment. */
  emitAgentAssignment(event: AgentAssignmentArguments): Promise<void> {
    return this.#emitTyped('agent_assignment', event, composeAgentAssignment);
  }

  /** Emits `enrichment`: the run entered a phase. */
  emitEnrichment(event: EnrichmentArguments): Promise<void> {
    return this.#turns.emit(() =>
      draftOf('enrichment', event, (fields) => ({
        type: 'enrichment',
        payload: composeEnrichment(fields),
        scope: { id: fields.scopeId, name: fields.scopeName, type: fields.scopeType },
      })),
    );
  }

  /** Emits `final` and ends the turn. A string is taken as the answer, which may be called `text` too. */
  emitFinal(event: FinalEmission): Promise<void> {
    return this.#emitTyped('final', typeof event === 'string' ? { text: event } : event, composeEmittedFinal);
  }

  /** Emits `error` and ends the turn. A string is taken as the message. */
  emitError(event: ErrorEmission): Promise<void> {
    return this.#emitTyped('error', typeof event === 'string' ? { error: event } : event, composeError);
  }

  /** Emits `session_start`: a session or a new turn started. */
  emitSessionStart(event: SessionStartArguments): Promise<void> {
    return this.#emitTyped('session_start', event, buildSessionStartPayload);
  }

  /** Emits `hook_fired`: a developer's before or after hook ran. */
  emitHookFired(event: HookFiredArguments): Promise<void> {
    return this.#emitTyped('hook_fired', event, buildHookFiredPayload);
  }

  /** Returns the events of this turn that a new reader would receive now. */
  async history(): Promise<EventEnvelope[]> {
    return readHistory(this.sessionId, this.#settings, (page) => this.#shown(page));
  }

  /**
   * Attaches a reader that returns many frames at once as bytes, for web framework adapters. `isEnded` is true from the
   * start if the session has ended and the reader has seen everything.
   *
   * @throws RangeError or TypeError naming the invalid option.
   */
  async openReader(options: ReaderOptions = {}): Promise<EventReader> {
    return this.#readers.open(options, {
      closing: () => this.#closing?.done,
      isReleased: () => this.#isReleased,
      isClosed: () => this.#isReleased && this.#closing?.keepSession === false,
    });
  }

  /**
   * Returns ready-to-send SSE frames for any framework: the stored events after the cursor, then new ones until the turn
   * ends. The reader is attached from the first pull until the loop is left.
   *
   * @throws RangeError or TypeError on the first pull, naming the invalid option.
   */
  generateSse(options: StreamOptions = {}): AsyncGenerator<string, void, undefined> {
    return sseStream(() => {
      const { heartbeatIntervalMs, ...reader } = readStreamOptions('generateSse', options, this.#settings);
      return {
        open: (signal) => this.openReader({ ...reader, signal }),
        heartbeatIntervalMs,
        signal: reader.signal,
      };
    });
  }

  /**
   * Returns the same frames as a web-standard `Response`. The cursor is the option, else the `Last-Event-ID` header, else
   * the query parameter `last_event_id`; an empty option stands for no cursor. The status is 204 if the session has ended
   * and the reader has seen everything, and 400 for a cursor that is too long or contains control characters. `HEAD`
   * returns the headers without attaching a reader.
   *
   * @throws RangeError or TypeError naming the invalid option.
   */
  async toResponse(request: Request, options: StreamOptions = {}): Promise<Response> {
    const { heartbeatIntervalMs, ...given } = readStreamOptions('toResponse', options, this.#settings);
    return streamResponse(request, {
      heartbeatIntervalMs,
      lastEventId: given.lastEventId ?? undefined,
      signal: given.signal,
      open: (reader) => this.openReader({ ...given, ...reader }),
    });
  }

  /**
   * Starts a new turn: resets ids and duplicate detection, and accepts events again. Waiting readers stay attached, and
   * earlier turns can be resumed while the log has them. Takes the session over if another process wrote to it.
   */
  async reopen(): Promise<void> {
    this.#closing = undefined;
    this.#isReleased = false;
    await this.#turns.reopen();
  }

  /**
   * Ends the session: readers receive the stored events, then the end. Further calls share the outcome of the first.
   * Rejects if the end could not be written to the log; the readers of this process end anyway. Rejects with a TypeError
   * for an unknown option.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    const { keepSession = false } = readOptions('close', options, { keepSession: true });
    if (this.#closing === undefined) {
      const closing = (this.#closing = { keepSession, done: Promise.resolve() });
      closing.done = this.#turns.close(closing).finally(() => {
        if (this.#closing !== closing) return;
        this.#isReleased = true;
        this.#readers.end(this.#turns.storedSeq);
      });
    }
    return this.#closing.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Waits for a reader until the timeout or until the signal aborts. Resolves to whether one is attached.
   *
   * @throws RangeError for a timeout that no timer supports, TypeError for an unknown option.
   */
  async waitForSubscriber(options: WaitForReader): Promise<boolean> {
    return this.#readers.waitForOne(options);
  }

  /** Composes without copying; the payload of an event that has to wait is copied later. */
  #emitTyped<Fields>(type: string, event: Fields, build: (event: Fields) => JsonRecord): Promise<void> {
    return this.#turns.emit(() => draftOf(type, event, (fields) => ({ type, payload: build(fields) })));
  }

  /** A page of the log as this bridge's audience sees it. */
  #shown(page: LogPage): LogPage {
    return this.#settings.audience === 'internal' ? page : safePage(page, this.#turns.epoch);
  }
}
