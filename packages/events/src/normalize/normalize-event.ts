import type { AppEvent } from '@svc/contracts';
import type { RawEventName } from '@svc/contracts/orchestrator';
import { withoutNulls } from '../check-option.js';
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

/** Options of `normalizeStreamEvent`. */
export interface NormalizeStreamEventOptions extends NormalizeOptions {
  /** What is remembered of the stream. Without it every event is the first of its stream. */
  readonly state?: NormalizedStreamState | null | undefined;
}

/**
 * Normalizes one raw event. A payload that is an event of the contract already passes unchanged; a name nobody knows
 * gives nothing, and neither does what is no event. It never throws because of a payload, and does not change it.
 *
 * @throws TypeError when an option does not exist.
 * @example
 * const state = new NormalizedStreamState();
 * for (const appEvent of normalizeStreamEvent({ name, payload }, { state })) show(appEvent);
 */
export function normalizeStreamEvent(
  event: RawEventInput,
  options: NormalizeStreamEventOptions = {},
): AppEvent[] {
  const { state, ...given } = withoutNulls(options);
  const stream = { owner: 'normalizeStreamEvent', state: state ?? new NormalizedStreamState() };
  return normalizeEvent(event, createNormalizeContext(given, stream));
}

/** The same with options that were read before. */
export function normalizeEvent(event: RawEventInput, context: NormalizeContext): AppEvent[] {
  // What was recorded or sent may hold anything in an event's place.
  const { name, payload: given }: JsonRecord = readRecord(event) ?? {};
  const payload = readRecord(given) ?? {};
  const finished = readFinishedEvent(payload);
  if (finished !== undefined) return [finished];
  return normalizerByName.get(readCleanText(name) ?? '')?.(payload, context) ?? [];
}
