import type { EventEnvelope } from '@svc/contracts';
import type { Audience } from '../audience/audience.js';
import { positiveMs, refuseUnknown, withoutNulls } from '../check-option.js';
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
  composeFinal,
  type ErrorEmission,
  type FinalEmission,
  type SessionStartArguments,
} from '../payloads/turn.js';
import { draftOf } from '../pipeline/draft.js';
import { rebuild } from '../pipeline/rebuild.js';
import { timestampNow } from '../pipeline/timestamp.js';
import { BridgeReaders } from './bridge-readers.js';
import type { ReaderOptions, WaitForReader } from './bridge-readers.js';
import { EventEmitter } from './event-emitter.js';
import { resolveOptions } from './options.js';
import type { BridgeSettings, EventBridgeOptions } from './options.js';

/** How a stream of frames is read. */
export interface StreamOptions extends ReaderOptions {
  /** The idle time after which this stream gets a keep-alive, in milliseconds. @default the bridge's */
  heartbeatIntervalMs?: number | undefined;
}

/** How a bridge is closed. */
export interface CloseOptions {
  /**
   * Only this process lets go of the session: its readers end, and the session goes on elsewhere, or here later.
   * @default false
   */
  keepSession?: boolean | undefined;
}

/**
 * The events of one session: takes them from the program and gives every reader all of them, in order and once.
 *
 * What emits resolves when the event is in the log and, with `backpressure: 'block'`, this process's readers have room.
 * `final` and `error` end the turn: what comes later is refused with a warning until `reopen()`.
 *
 * @example
 * const bridge = new EventBridge('session-1', { audience: 'frontend_safe' });
 * await bridge.emitToolEvent({ toolName: 'search', toolId: 't1', status: 'executing' });
 * for await (const frame of bridge.generateSse()) response.write(frame);
 */
export class EventBridge {
  /** The session whose events these are. */
  readonly sessionId: string;
  readonly #settings: BridgeSettings;
  readonly #readers: BridgeReaders;
  readonly #emitter: EventEmitter;
  /** How it was closed; undefined while it is not. */
  #closing: CloseOptions | undefined;

  /**
   * @throws RangeError or TypeError naming the option that is invalid.
   * @throws TypeError when the session id is blank.
   */
  constructor(sessionId: string, options: EventBridgeOptions = {}) {
    if (typeof sessionId !== 'string' || sessionId.trim() === '') {
      throw new TypeError('sessionId must be a text that is not blank');
    }
    this.sessionId = sessionId;
    this.#settings = resolveOptions(options);
    this.#readers = new BridgeReaders(sessionId, this.#settings, () => this.#emitter.epoch);
    this.#emitter = new EventEmitter(sessionId, this.#settings, this.#readers.room);
  }

  /** Who this bridge's readers may be at most. */
  get audience(): Audience {
    return this.#settings.audience;
  }

  /** Whether nothing is accepted until `reopen()`: the turn or the session has ended. */
  get closed(): boolean {
    return this.#emitter.isClosed;
  }

  /** How many readers are attached in this process. */
  get subscriberCount(): number {
    return this.#readers.room.size;
  }

  /** @internal The newest entry this process wrote. */
  get headSeq(): number | undefined {
    return this.#emitter.headSeq;
  }

  /**
   * Emits an event by name. Known families are rebuilt through their payload builders; any other name passes through.
   *
   * @throws TypeError when the name holds CR, LF or NUL.
   * @throws EventSchemaError when the payload is not an object; in `strict` also when it is malformed.
   */
  emit(eventName: string, payload: object): Promise<void> {
    return this.#emitter.emit(() => rebuild(eventName, payload));
  }

  /** Emits `tool_event`: a tool call began, went on or ended. */
  emitToolEvent(from: ToolEventArguments): Promise<void> {
    return this.#emitTyped('tool_event', from, composeToolEvent);
  }

  /** Emits `system_tool_start`: a tool of the orchestrator began. */
  emitSystemToolStart(from: SystemToolStartArguments): Promise<void> {
    return this.#emitTyped('system_tool_start', from, composeSystemToolStart);
  }

  /** Emits `system_tool_chunk`: a tool of the orchestrator told of its progress. */
  emitSystemToolChunk(from: SystemToolChunkArguments): Promise<void> {
    return this.#emitTyped('system_tool_chunk', from, buildSystemToolChunkPayload);
  }

  /** Emits `system_tool_complete`: a tool of the orchestrator ended well. */
  emitSystemToolComplete(from: SystemToolCompleteArguments): Promise<void> {
    return this.#emitTyped('system_tool_complete', from, composeSystemToolComplete);
  }

  /** Emits `assistant_chunk`: a piece of the answer to append. */
  emitAssistantChunk(from: AssistantChunkArguments): Promise<void> {
    return this.#emitTyped('assistant_chunk', from, buildAssistantChunkPayload);
  }

  /** Emits `status_message`: a line that stands alone. */
  emitStatusMessage(from: StatusMessageArguments): Promise<void> {
    return this.#emitTyped('status_message', from, buildStatusMessagePayload);
  }

  /** Emits `interrupt_required`: a question to a person. Stamped with the time now if it has none. */
  emitInterruptRequired(from: InterruptRequiredArguments): Promise<void> {
    return this.#emitTyped('interrupt_required', from, (given) =>
      buildInterruptRequiredPayload({ ...given, timestamp: given.timestamp ?? timestampNow() }),
    );
  }

  /** Emits `agent_assignment`: a swarm member got, works on, or ended an assignment. */
  emitAgentAssignment(from: AgentAssignmentArguments): Promise<void> {
    return this.#emitTyped('agent_assignment', from, composeAgentAssignment);
  }

  /** Emits `enrichment`: the run entered a phase. */
  emitEnrichment(from: EnrichmentArguments): Promise<void> {
    return this.#emitter.emit(() =>
      draftOf('enrichment', from, (given) => ({
        type: 'enrichment',
        payload: composeEnrichment(given),
        scope: { id: given.scopeId, name: given.scopeName, type: given.scopeType },
      })),
    );
  }

  /** Emits `final` and ends the turn. The text of the answer alone is enough. */
  emitFinal(from: FinalEmission): Promise<void> {
    return this.#emitTyped('final', typeof from === 'string' ? { response: from } : from, composeFinal);
  }

  /** Emits `error` and ends the turn. The message alone is enough. */
  emitError(from: ErrorEmission): Promise<void> {
    return this.#emitTyped('error', typeof from === 'string' ? { error: from } : from, composeError);
  }

  /** Emits `session_start`. */
  emitSessionStart(from: SessionStartArguments): Promise<void> {
    return this.#emitTyped('session_start', from, buildSessionStartPayload);
  }

  /** Emits `hook_fired`: a developer's before or after hook ran. */
  emitHookFired(from: HookFiredArguments): Promise<void> {
    return this.#emitTyped('hook_fired', from, buildHookFiredPayload);
  }

  /** The events of this turn that a new reader would be given now. */
  async history(): Promise<EventEnvelope[]> {
    return readHistory(this.sessionId, this.#settings, (page) => this.#shown(page));
  }

  /**
   * Attaches a reader that hands out many frames at once as bytes, for adapters to web frameworks. `isEnded` is true
   * at once when the session has ended and the reader has seen everything.
   *
   * @throws RangeError or TypeError naming the option that is invalid.
   */
  async openReader(options: ReaderOptions = {}): Promise<EventReader> {
    return this.#readers.open(options, {
      isReleased: () => this.#closing !== undefined,
      isClosed: () => this.#closing !== undefined && !this.#closing.keepSession,
    });
  }

  /**
   * Ready-to-send SSE frames, for any framework: what is held behind the cursor, then what comes, until the turn ends.
   * The reader is attached from the first pull until the loop is left.
   *
   * @throws RangeError or TypeError on the first pull, naming the option that is invalid.
   */
  generateSse(options: StreamOptions = {}): AsyncGenerator<string, void, undefined> {
    const { heartbeatIntervalMs, ...reader } = withoutNulls(options);
    return sseStream({
      open: (signal) => this.openReader({ ...reader, signal }),
      heartbeatIntervalMs: () => this.#heartbeatMs(heartbeatIntervalMs),
      signal: reader.signal,
    });
  }

  /**
   * The same as a web-standard response. The cursor is the `Last-Event-ID` header, else the query parameter
   * `last_event_id`; 204 when the session has ended and the reader has seen everything, 400 for a cursor that is too
   * long or holds control characters. `HEAD` gets the headers of a stream and attaches nobody.
   *
   * @throws RangeError or TypeError naming the option that is invalid.
   */
  async toResponse(request: Request, options: StreamOptions = {}): Promise<Response> {
    const { heartbeatIntervalMs, ...given } = withoutNulls(options);
    return streamResponse(request, {
      heartbeatIntervalMs: this.#heartbeatMs(heartbeatIntervalMs),
      lastEventId: options?.lastEventId,
      signal: given.signal,
      open: (reader) => this.openReader({ ...given, ...reader }),
    });
  }

  /**
   * Starts a new turn: forgets identities and repeats, and accepts events again. Readers that wait stay attached;
   * earlier turns can be resumed while the log holds them. Takes the session over if another process wrote it.
   */
  async reopen(): Promise<void> {
    this.#closing = undefined;
    await this.#emitter.reopen();
  }

  /**
   * Ends the session: readers get what is held, then the end. Closing twice is fine. Rejects when the log did not take
   * the end; the readers of this process end all the same. Rejects before that for an option that does not exist.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    const { keepSession = false, ...unknown } = withoutNulls(options);
    refuseUnknown('close', unknown);
    if (this.#closing !== undefined) return;
    const closing = (this.#closing = { keepSession });
    try {
      await this.#emitter.close(closing);
    } finally {
      if (this.#closing === closing) this.#readers.end(this.#emitter.storedSeq);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Resolves to whether a reader is attached, now, within the time, or when the signal aborts.
   *
   * @throws RangeError when no timer can wait so long, TypeError when an option does not exist.
   */
  async waitForSubscriber({ timeoutMs, signal, ...unknown }: WaitForReader): Promise<boolean> {
    refuseUnknown('waitForSubscriber', unknown);
    const longestMs = timeoutMs === 0 ? 0 : positiveMs('timeoutMs', timeoutMs);
    return this.#readers.waitForOne({ timeoutMs: longestMs, signal });
  }

  /** Nothing is copied that the log's text will not hold anyway. */
  #emitTyped<From>(type: string, from: From, build: (from: From) => JsonRecord): Promise<void> {
    return this.#emitter.emit(() => draftOf(type, from, (given) => ({ type, payload: build(given) })));
  }

  /** A page of the log as this bridge's audience sees it. */
  #shown(page: LogPage): LogPage {
    return this.#settings.audience === 'internal' ? page : safePage(page, this.#emitter.epoch);
  }

  #heartbeatMs(ofStream: number | undefined): number {
    return ofStream === undefined
      ? this.#settings.heartbeatIntervalMs
      : positiveMs('heartbeatIntervalMs', ofStream);
  }
}
