import {
  ENRICHMENT_EVENT_NAME,
  ERROR_EVENT_NAME,
  FINAL_EVENT_NAME,
  INTERRUPT_REQUIRED_EVENT_NAME,
  MODEL_TOOL_COMPLETE_EVENT_NAME,
  PROGRESS_UPDATE_EVENT_NAME,
  SESSION_START_EVENT_NAME,
  STATUS_MESSAGE_EVENT_NAME,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_ERROR_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  TOOL_EVENT_NAME,
  UPDATE_EVENT_NAME,
} from '@svc/contracts';
import type { AppEvent } from '@svc/contracts';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { normalizeSwarmAction } from './assignment.js';
import { normalizeProgressUpdate, normalizeStreamingText } from './assistant.js';
import { createNormalizeContext } from './context.js';
import type { NormalizeContext, NormalizeOptions } from './context.js';
import { normalizeEnrichment } from './enrichment.js';
import { readFinishedEvent } from './finished-event.js';
import { normalizeInterruptRequired } from './interrupt.js';
import { normalizeModelTool } from './model-tool.js';
import type { RawEventInput } from './raw-sse-event.js';
import { NormalizedStreamState } from './state.js';
import { normalizeStatusMessage } from './status.js';
import {
  normalizeSystemToolChunk,
  normalizeSystemToolComplete,
  normalizeSystemToolError,
  normalizeSystemToolStart,
} from './system-tool.js';
import { normalizeToolEvent } from './tool.js';
import { normalizeError, normalizeFinal, normalizeSessionStart } from './turn.js';

type Normalize = (payload: JsonRecord, context: NormalizeContext) => AppEvent[];

const normalizers: ReadonlyMap<string, Normalize> = new Map([
  [UPDATE_EVENT_NAME, normalizeUpdate],
  [PROGRESS_UPDATE_EVENT_NAME, normalizeProgressUpdate],
  [TOOL_EVENT_NAME, normalizeToolEvent],
  [SYSTEM_TOOL_START_EVENT_NAME, normalizeSystemToolStart],
  [SYSTEM_TOOL_CHUNK_EVENT_NAME, normalizeSystemToolChunk],
  [SYSTEM_TOOL_COMPLETE_EVENT_NAME, normalizeSystemToolComplete],
  [SYSTEM_TOOL_ERROR_EVENT_NAME, normalizeSystemToolError],
  [MODEL_TOOL_COMPLETE_EVENT_NAME, normalizeModelTool],
  [STATUS_MESSAGE_EVENT_NAME, normalizeStatusMessage],
  [ENRICHMENT_EVENT_NAME, normalizeEnrichment],
  [INTERRUPT_REQUIRED_EVENT_NAME, normalizeInterruptRequired],
  [SESSION_START_EVENT_NAME, normalizeSessionStart],
  [FINAL_EVENT_NAME, normalizeFinal],
  [ERROR_EVENT_NAME, normalizeError],
]);

/** An `update` may carry text, the lifecycle of a swarm member's action, or both. */
function normalizeUpdate(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  return [...normalizeStreamingText(payload, context), ...normalizeSwarmAction(payload, context)];
}

/** Options of `normalizeStreamEvent`. */
export interface NormalizeStreamEventOptions extends NormalizeOptions {
  /** What is remembered of the stream. Without it every event is the first of its stream. */
  readonly state?: NormalizedStreamState | null;
}

/**
 * Normalizes one raw event. A payload that is an event of the contract already passes unchanged; a name nobody knows
 * gives nothing. It never throws because of a payload, and does not change it.
 *
 * @example
 * const state = new NormalizedStreamState();
 * for (const appEvent of normalizeStreamEvent({ name, payload }, { state })) show(appEvent);
 */
export function normalizeStreamEvent(
  event: RawEventInput,
  options: NormalizeStreamEventOptions = {},
): AppEvent[] {
  return normalizeEvent(event, createNormalizeContext(options, options.state ?? new NormalizedStreamState()));
}

/** The same with options that were read before. */
export function normalizeEvent(event: RawEventInput, context: NormalizeContext): AppEvent[] {
  const payload = readRecord(event.payload) ?? {};
  const finished = readFinishedEvent(payload);
  if (finished !== undefined) return [finished];
  return normalizers.get(readCleanText(event.name) ?? '')?.(payload, context) ?? [];
}
