import type { AppEvent, ContractEventName } from '@svc/contracts';
import { refuseUnknown, show, withoutNulls } from '../check-option.js';
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
  /** Ends the wait, for whatever it is: nothing more is told, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
}

const families = {
  session_start: forwardSessionStart,
  assistant_chunk: forwardAssistantChunk,
  status_message: forwardStatusMessage,
  tool_event: forwardToolEvent,
  system_tool_start: forwardSystemToolStart,
  system_tool_chunk: forwardSystemToolChunk,
  system_tool_complete: forwardSystemToolComplete,
  system_tool_error: forwardSystemToolError,
  agent_assignment: forwardAgentAssignment,
  enrichment: forwardEnrichment,
  interrupt_required: forwardInterruptRequired,
  hook_fired: forwardHookFired,
  final: forwardFinal,
  error: forwardError,
} satisfies Partial<Record<ContractEventName, ForwardFamily>>;

const familyByName: ReadonlyMap<string, ForwardFamily> = new Map(Object.entries(families));

/** An application's own event, and one of another version of the contract, is the bridge's business alone. */
const forwardCustom: ForwardFamily = (event) => ({
  emission: () => ({ eventName: event.event_name, payload: payloadOf(event) }),
});

/**
 * Tells a reporter, then a bridge, of one event. Do not feed the same events to a reporter that emits on that bridge
 * itself: one producer for each family. The bridge is told even when the reporter fails; its error then follows.
 *
 * @throws TypeError when an option does not exist or is no target: the events would reach nobody; and for an event that
 * has no name because it was not normalized.
 * @returns the state, to pass to the next call of the same stream.
 */
export async function forwardNormalizedEvent(
  event: AppEvent,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  const targets = checkedTargets('forwardNormalizedEvent', options);
  return untilAborted(targets.signal, () => forwardEvent(event, targets));
}

async function forwardEvent(
  event: AppEvent,
  options: ForwardOptions,
): Promise<NormalizedEventForwardingState> {
  if (typeof event?.event_name !== 'string')
    throw new TypeError('event must have an event_name: pass raw events through normalizeStream first');
  const state = options.state ?? new NormalizedEventForwardingState();
  const name = event.event_name.trim();
  const family = isOfOtherVersion(event) ? undefined : familyByName.get(name);
  const forwarding = (family ?? forwardCustom)(event, state);
  if (forwarding === undefined) return state;
  const { reporter, bridge, signal } = options;
  try {
    if (reporter != null) await forwarding.report?.(reporter);
  } finally {
    const emission = bridge == null || signal?.aborted ? undefined : forwarding.emission?.();
    if (emission !== undefined) await bridge?.emit(emission.eventName ?? name, emission.payload);
  }
  return state;
}

/**
 * Tells a reporter and a bridge of a stream of events, one after the other. The stream is a turn of its own. When the
 * signal aborts, the source is left as soon as it gives its next event: what makes the source may need the signal too.
 *
 * @example
 * const events = normalizeStream(agent.stream('Hello', { signal }));
 * await forwardNormalizedStream(events, { bridge, signal });
 * @throws TypeError when an option does not exist or is no target: the events would reach nobody; and for an event that
 * has no name because it was not normalized.
 * @returns the state, with what is remembered of the stream.
 */
export async function forwardNormalizedStream(
  events: Iterable<AppEvent> | AsyncIterable<AppEvent>,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  const targets = checkedTargets('forwardNormalizedStream', options);
  return untilAborted(targets.signal, () => forwardEvents(events, targets));
}

async function forwardEvents(
  events: Iterable<AppEvent> | AsyncIterable<AppEvent>,
  targets: ForwardOptions,
): Promise<NormalizedEventForwardingState> {
  if (!(Symbol.asyncIterator in Object(events) || Symbol.iterator in Object(events)))
    throw new TypeError(
      `forwardNormalizedStream needs an iterable or async iterable of events, got ${show(events)}; ` +
        'for a single event use forwardNormalizedEvent',
    );
  const state = targets.state ?? new NormalizedEventForwardingState();
  state.beginTurn();
  for await (const event of events) {
    targets.signal?.throwIfAborted();
    await forwardEvent(event, { ...targets, state });
  }
  return state;
}

/** What the work comes to; when the signal aborts first, its reason, and the work is left to end by itself. */
async function untilAborted<Outcome>(
  signal: AbortSignal | null | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  if (signal == null) return work();
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function checkedTargets(owner: string, options: ForwardOptions): ForwardOptions {
  const targets = withoutNulls(options);
  if ('emit' in targets)
    throw new TypeError(`${owner} options must be an object: pass the bridge as { bridge }`);
  const { reporter, bridge, state: _state, signal: _signal, ...unknown } = targets;
  refuseUnknown(owner, unknown);
  if (bridge != null && typeof bridge.emit !== 'function')
    throw new TypeError('bridge must have an emit method');
  if (reporter != null && typeof reporter !== 'object' && typeof reporter !== 'function')
    throw new TypeError(`reporter must be an object with methods, got ${typeof reporter}`);
  return targets;
}
