import {
  AGENT_ASSIGNMENT_EVENT_NAME,
  ASSISTANT_CHUNK_EVENT_NAME,
  ENRICHMENT_EVENT_NAME,
  ERROR_EVENT_NAME,
  FINAL_EVENT_NAME,
  HOOK_FIRED_EVENT_NAME,
  INTERRUPT_REQUIRED_EVENT_NAME,
  SESSION_START_EVENT_NAME,
  STATUS_MESSAGE_EVENT_NAME,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_ERROR_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  TOOL_EVENT_NAME,
} from '@svc/contracts';
import type { AppEvent } from '@svc/contracts';
import { refuseUnknown, withoutNulls } from '../check-option.js';
import { isOfOtherVersion } from '../payloads/other-version.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { forwardAgentAssignment } from './assignment.js';
import { forwardAssistantChunk, forwardStatusMessage } from './assistant.js';
import { forwardEnrichment } from './enrichment.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';
import { forwardHookFired } from './hook.js';
import { forwardInterruptRequired } from './interrupt.js';
import type { Reporter } from './reporter.js';
import { NormalizedEventForwardingState } from './state.js';
import {
  forwardSystemToolChunk,
  forwardSystemToolComplete,
  forwardSystemToolError,
  forwardSystemToolStart,
} from './system-tool.js';
import { forwardToolEvent } from './tool.js';
import { forwardError, forwardFinal, forwardSessionStart } from './turn.js';

/** What forwarding needs of an `EventBridge`. */
export interface ForwardingBridge {
  /** Rebuilds, identifies and keeps an event. */
  emit(eventName: string, payload: JsonRecord): Promise<unknown>;
}

/** Whom to tell, and what is remembered of the stream. All are optional. */
export interface ForwardOptions {
  /** Shows the run as it happens. */
  readonly reporter?: Reporter | null | undefined;
  /** Serves the run to frontends. */
  readonly bridge?: ForwardingBridge | null | undefined;
  /** What is remembered of the stream. @default a fresh state */
  readonly state?: NormalizedEventForwardingState | null | undefined;
}

const families: ReadonlyMap<string, ForwardFamily> = new Map([
  [SESSION_START_EVENT_NAME, forwardSessionStart],
  [ASSISTANT_CHUNK_EVENT_NAME, forwardAssistantChunk],
  [STATUS_MESSAGE_EVENT_NAME, forwardStatusMessage],
  [TOOL_EVENT_NAME, forwardToolEvent],
  [SYSTEM_TOOL_START_EVENT_NAME, forwardSystemToolStart],
  [SYSTEM_TOOL_CHUNK_EVENT_NAME, forwardSystemToolChunk],
  [SYSTEM_TOOL_COMPLETE_EVENT_NAME, forwardSystemToolComplete],
  [SYSTEM_TOOL_ERROR_EVENT_NAME, forwardSystemToolError],
  [AGENT_ASSIGNMENT_EVENT_NAME, forwardAgentAssignment],
  [ENRICHMENT_EVENT_NAME, forwardEnrichment],
  [INTERRUPT_REQUIRED_EVENT_NAME, forwardInterruptRequired],
  [HOOK_FIRED_EVENT_NAME, forwardHookFired],
  [FINAL_EVENT_NAME, forwardFinal],
  [ERROR_EVENT_NAME, forwardError],
]);

/** An application's own event, and one of another version of the contract, is the bridge's business alone. */
const forwardCustom: ForwardFamily = (event) => ({
  emission: () => ({ eventName: event.event_name, payload: payloadOf(event) }),
});

/**
 * Tells a reporter, then a bridge, of one event. Do not feed the same events to a reporter that emits on that bridge
 * itself: one producer for each family. The bridge is told even when the reporter fails; its error then follows.
 *
 * @throws TypeError when an option does not exist or is no target: the events would reach nobody.
 * @returns the state, to be given to the next call of the same stream.
 */
export async function forwardNormalizedEvent(
  event: AppEvent,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  return forwardEvent(event, checkedTargets('forwardNormalizedEvent', options));
}

async function forwardEvent(
  event: AppEvent,
  options: ForwardOptions,
): Promise<NormalizedEventForwardingState> {
  const state = options.state ?? new NormalizedEventForwardingState();
  const family = isOfOtherVersion(event) ? undefined : families.get(String(event.event_name).trim());
  const forwarding = (family ?? forwardCustom)(event, state);
  if (forwarding === undefined) return state;
  const { reporter, bridge } = options;
  try {
    if (reporter != null) await forwarding.report?.(reporter);
  } finally {
    const emission = bridge == null ? undefined : forwarding.emission?.();
    if (emission !== undefined) await bridge?.emit(emission.eventName, emission.payload);
  }
  return state;
}

/**
 * Tells a reporter and a bridge of a stream of events, one after the other. The stream is a turn of its own. It ends
 * when the source ends: to stop it, stop the source.
 *
 * @example
 * const events = normalizeStream(agent.stream('Hello'));
 * await forwardNormalizedStream(events, { bridge });
 * @throws TypeError when an option does not exist or is no target: the events would reach nobody.
 * @returns the state, with what is remembered of the stream.
 */
export async function forwardNormalizedStream(
  events: Iterable<AppEvent> | AsyncIterable<AppEvent>,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  const targets = checkedTargets('forwardNormalizedStream', options);
  const state = targets.state ?? new NormalizedEventForwardingState();
  state.beginTurn();
  for await (const event of events) await forwardEvent(event, { ...targets, state });
  return state;
}

function checkedTargets(owner: string, options: ForwardOptions): ForwardOptions {
  const targets = withoutNulls(options);
  if ('emit' in targets) throw new TypeError(`${owner} takes a bridge by its name: { bridge }`);
  const { reporter, bridge, state: _state, ...unknown } = targets;
  refuseUnknown(owner, unknown);
  if (bridge != null && typeof bridge.emit !== 'function')
    throw new TypeError('bridge must have the method emit');
  if (reporter != null && typeof reporter !== 'object' && typeof reporter !== 'function')
    throw new TypeError(`reporter must be an object with its methods, got ${typeof reporter}`);
  return targets;
}
