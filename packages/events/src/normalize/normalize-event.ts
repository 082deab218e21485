import type { AppEvent } from '@svc/contracts';
import type { RawEventName } from '@svc/contracts/orchestrator';
import { readOptions, withMethods } from '../check-option.js';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { normalizeSwarmAction } from './assignment.js';
import { normalizeProgressUpdate, normalizeStreamingText } from './assistant.js';
import { createNormalizeContext, NORMALIZE_OPTIONS } from './context.js';
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

const normalizers = {
  update: normalizeUpdate,
  progress_update: normalizeProgressUpdate,
  tool_event: normalizeToolEvent,
  system_tool_start: normalizeSystemToolStart,
  system_tool_chunk: normalizeSystemToolChunk,
  system_tool_complete: normalizeSystemToolComplete,
  system_tool_error: normalizeSystemToolError,
  model_tool_complete: normalizeModelTool,
  status_message: normalizeStatusMessage,
  enrichment: normalizeEnrichment,
  interrupt_required: normalizeInterruptRequired,
  session_start: normalizeSessionStart,
  final: normalizeFinal,
  error: normalizeError,
} satisfies Partial<Record<RawEventName, Normalize>>;

const normalizerByName: ReadonlyMap<string, Normalize> = new Map(Object.entries(normalizers));

/** An `update` may carry text, the lifecycle of a swarm member's action, or both. */
function normalizeUpdate(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  return [...normalizeStreamingText(payload, context), ...normalizeSwarmAction(payload, context)];
}

/** Options of {@link normalizeStreamEvent}. */
export interface NormalizeStreamEventOptions extends NormalizeOptions {
  /** The state of the stream. @default a new state, as if each event were the first of its stream */
  readonly state?: NormalizedStreamState | null | undefined;
}

/**
 * Normalizes one raw event. A payload that is already an event of the contract passes unchanged. Returns an empty array
 * for an unknown name or a value that is not an event. Never throws because of JSON data in a payload, and never changes
 * a payload.
 *
 * @throws TypeError naming the option that is unknown or of the wrong type.
 * @example
 * const state = new NormalizedStreamState();
 * for (const appEvent of normalizeStreamEvent({ name, payload }, { state })) show(appEvent);
 */
export function normalizeStreamEvent(
  event: RawEventInput,
  options: NormalizeStreamEventOptions = {},
): AppEvent[] {
  const known: Record<keyof NormalizeStreamEventOptions, true> = { ...NORMALIZE_OPTIONS, state: true };
  const given = readOptions('normalizeStreamEvent', options, known);
  const state = withMethods('state', given.state ?? new NormalizedStreamState(), ['keepText', 'keepCall']);
  return normalizeEvent(event, createNormalizeContext(given, state));
}

/** Normalizes one raw event with a prepared context. */
export function normalizeEvent(event: RawEventInput, context: NormalizeContext): AppEvent[] {
  // Recorded or received data may contain anything in place of an event.
  const { name, payload: given }: JsonRecord = readRecord(event) ?? {};
  const payload = readRecord(given) ?? {};
  const finished = readFinishedEvent(payload);
  if (finished !== undefined) return [finished];
  return normalizerByName.get(readCleanText(name) ?? '')?.(payload, context) ?? [];
}
