import type { AppEvent, ContractEventName } from '@svc/contracts';
import { readOptions, show, withMethods } from '../check-option.js';
import { untilAborted } from '../until-aborted.js';
import { isOfOtherVersion } from '../payloads/other-version.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { forwardAgentAssignment } from './assignment.js';
import { forwardAssistantChunk, forwardStatusMessage } from './assistant.js';
import { forwardEnrichment } from './enrichment.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily, Forwarding } from './forwarding.js';
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

/** The part of an `EventBridge` that forwarding uses. */
export interface ForwardingBridge {
  /** Emits an event by name. */
  emit(eventName: string, payload: JsonRecord): Promise<unknown>;
}

/** Options of {@link forwardNormalizedEvent} and {@link forwardNormalizedStream}. */
export interface ForwardOptions {
  /** Receives the run as it happens, for example to show it. */
  readonly reporter?: Reporter | null | undefined;
  /** Receives the events to serve to frontends. */
  readonly bridge?: ForwardingBridge | null | undefined;
  /** The state of the stream. @default a new state */
  readonly state?: NormalizedEventForwardingState | null | undefined;
  /** Stops forwarding, even while waiting: nothing more is forwarded, and the promise rejects with the signal's reason. */
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

/** Forwards an application's own event, or one of another contract version, only to the bridge. */
const forwardCustom: ForwardFamily = (event) => ({
  emission: () => ({ eventName: event.event_name, payload: payloadOf(event) }),
});

/**
 * Forwards one event to a reporter, then to a bridge. The reporter must not emit the same events on that bridge, which
 * would then get them twice. If the reporter fails, the bridge still gets the event, then the promise rejects with the
 * reporter's error; if both fail, with an `AggregateError` of both.
 *
 * @throws TypeError naming the option that is unknown or invalid, or if the event has no name because it was not
 * normalized.
 * @returns the state, to pass to the next call for the same stream.
 */
export async function forwardNormalizedEvent(
  event: AppEvent,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  const targets = checkedTargets('forwardNormalizedEvent', options);
  return unlessAborted(targets.signal, () => forwardEvent(event, targets));
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
  if (forwarding !== undefined) await deliver(name, forwarding, options);
  return state;
}

async function deliver(
  name: string,
  { report, emission }: Forwarding,
  { reporter, bridge, signal }: ForwardOptions,
): Promise<void> {
  const emit = async () => {
    const emitted = bridge == null || signal?.aborted ? undefined : emission?.();
    if (emitted !== undefined) await bridge?.emit(emitted.eventName ?? name, emitted.payload);
  };
  try {
    if (reporter != null) await report?.(reporter);
  } catch (error) {
    await emit().catch((another: unknown) => {
      throw new AggregateError([error, another], 'The reporter and the bridge both failed', { cause: error });
    });
    throw error;
  }
  await emit();
}

/**
 * Forwards a stream of events to a reporter and a bridge, one event at a time. The stream counts as a turn of its own. If
 * the signal aborts, the source is only closed once it yields its next event, so pass the signal to the source too.
 *
 * @example
 * const events = normalizeStream(agent.stream('Hello', { signal }));
 * await forwardNormalizedStream(events, { bridge, signal });
 * @throws TypeError if `events` is not iterable, naming the option that is unknown or invalid, or if an event has no name
 * because it was not normalized.
 * @returns the state of the stream.
 */
export async function forwardNormalizedStream(
  events: Iterable<AppEvent> | AsyncIterable<AppEvent>,
  options: ForwardOptions = {},
): Promise<NormalizedEventForwardingState> {
  const targets = checkedTargets('forwardNormalizedStream', options);
  return unlessAborted(targets.signal, () => forwardEvents(events, targets));
}

async function forwardEvents(
  events: Iterable<AppEvent> | AsyncIterable<AppEvent>,
  targets: ForwardOptions,
): Promise<NormalizedEventForwardingState> {
  if (!(Symbol.asyncIterator in Object(events) || Symbol.iterator in Object(events)))
    throw new TypeError(
      `events must be an iterable or async iterable of events, got ${show(events)}; ` +
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

/** Settles like the forwarding, or rejects with the signal's reason if it aborts first. */
async function unlessAborted(
  signal: AbortSignal | null | undefined,
  forward: () => Promise<NormalizedEventForwardingState>,
): Promise<NormalizedEventForwardingState> {
  signal?.throwIfAborted();
  const state = await untilAborted(forward(), signal);
  // Only an abort leaves no state.
  if (state === undefined) throw signal?.reason;
  return state;
}

function checkedTargets(owner: string, options: ForwardOptions): ForwardOptions {
  if ('emit' in Object(options))
    throw new TypeError(`${owner} options must be an object: pass the bridge as { bridge }`);
  const known: Record<keyof ForwardOptions, true> = {
    reporter: true,
    bridge: true,
    state: true,
    signal: true,
  };
  const targets = readOptions(owner, options, known);
  const { reporter, bridge, state } = targets;
  if (state != null) withMethods('state', state, ['beginTurn', 'addText', 'keepTool']);
  if (bridge != null && typeof bridge.emit !== 'function')
    throw new TypeError('bridge must have an emit method');
  if (reporter != null && typeof reporter !== 'object' && typeof reporter !== 'function')
    throw new TypeError(`reporter must be an object with methods, got ${typeof reporter}`);
  return targets;
}
