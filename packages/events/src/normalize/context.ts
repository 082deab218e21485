import { show } from '../check-option.js';
import type { ParticipantArguments } from '../payloads/compose.js';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizedStreamState } from './state.js';

/** Information about a tool beyond its calls. All fields are optional. */
export interface ToolMetadata {
  /** The display name; takes precedence over `name`. */
  readonly tool_name?: string | null | undefined;
  /** The display name. */
  readonly name?: string | null | undefined;
  /** The tool type: `func`, `agent`, `mcp` and so on. */
  readonly tool_type?: string | null | undefined;
  /** The agent the tool belongs to. */
  readonly agent_name?: string | null | undefined;
  /** The swarm the tool belongs to. */
  readonly swarm_name?: string | null | undefined;
  /** The id of the agent that an agent tool calls; becomes the argument `agent_id` unless the call has one. */
  readonly target_agent_id?: string | null | undefined;
  readonly [extra: string]: unknown;
}

/** Options of `normalizeStream` and `normalizeStreamEvent`. All are optional. */
export interface NormalizeOptions {
  /** The agent of tool events without one. */
  readonly defaultAgentName?: string | null | undefined;
  /** The swarm of tool events and assignments without one. */
  readonly defaultSwarmName?: string | null | undefined;
  /** The participant key of text, tool events, assignments and enrichments. */
  readonly defaultParticipantKey?: string | null | undefined;
  /** The participant name of text, tool events, assignments and enrichments. */
  readonly defaultParticipantName?: string | null | undefined;
  /** The participant role of text, tool events, assignments and enrichments. */
  readonly defaultParticipantRole?: string | null | undefined;
  /** Display names by raw tool id. */
  readonly toolNameMap?: Readonly<Record<string, string>> | null | undefined;
  /** Tool metadata by raw tool id; takes precedence over `toolNameMap` and the call. */
  readonly toolMetadataMap?: Readonly<Record<string, ToolMetadata>> | null | undefined;
  /** Display names of swarm members by action id. */
  readonly assignmentNameMap?: Readonly<Record<string, string>> | null | undefined;
}

/** The caller's options, read once, and the stream's state. */
export interface NormalizeContext extends Pick<
  NormalizeOptions,
  'toolNameMap' | 'toolMetadataMap' | 'assignmentNameMap'
> {
  readonly state: NormalizedStreamState;
  readonly agentName: string | undefined;
  readonly swarmName: string | undefined;
  readonly participant: ParticipantArguments;
}

/** The names of all options. */
export const NORMALIZE_OPTIONS: Record<keyof NormalizeOptions, true> = {
  defaultAgentName: true,
  defaultSwarmName: true,
  defaultParticipantKey: true,
  defaultParticipantName: true,
  defaultParticipantRole: true,
  toolNameMap: true,
  toolMetadataMap: true,
  assignmentNameMap: true,
};

/**
 * Reads the caller's options once for a stream.
 *
 * @throws TypeError naming the option that is not a string, or not an object with ids as keys.
 */
export function createNormalizeContext(
  options: NormalizeOptions,
  state: NormalizedStreamState,
): NormalizeContext {
  const {
    defaultAgentName,
    defaultSwarmName,
    defaultParticipantKey: participantKey,
    defaultParticipantName: participantName,
    defaultParticipantRole: participantRole,
    toolNameMap,
    toolMetadataMap,
    assignmentNameMap,
  } = options;
  return {
    state,
    agentName: readCleanText(text('defaultAgentName', defaultAgentName)),
    swarmName: readCleanText(text('defaultSwarmName', defaultSwarmName)),
    participant: {
      participantKey: text('defaultParticipantKey', participantKey),
      participantName: text('defaultParticipantName', participantName),
      participantRole: text('defaultParticipantRole', participantRole),
    },
    toolNameMap: byId('toolNameMap', toolNameMap),
    toolMetadataMap: byId('toolMetadataMap', toolMetadataMap),
    assignmentNameMap: byId('assignmentNameMap', assignmentNameMap),
  };
}

function text(name: string, value: string | null | undefined): string | null | undefined {
  if (value == null || typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, got ${show(value)}`);
}

/** Rejects a `Map`, which would be taken for an object without entries. */
function byId<Entries>(name: string, value: Entries): Entries {
  if (value == null || (typeof value === 'object' && !(Symbol.iterator in value))) return value;
  throw new TypeError(
    `${name} must be an object with ids as keys, got ${value instanceof Map ? 'a Map: use Object.fromEntries(map)' : show(value)}`,
  );
}

/** The caller's metadata of a tool. */
export function toolMetadataOf(context: NormalizeContext, toolId: string): JsonRecord | undefined {
  return readRecord(entryOf(context.toolMetadataMap, toolId));
}

/** The caller's display name of a tool. */
export function toolNameOf(context: NormalizeContext, toolId: string): string | undefined {
  return readCleanText(entryOf(context.toolNameMap, toolId));
}

/** The caller's display name of an action; an empty string counts as a name. */
export function assignmentNameOf(context: NormalizeContext, actionId: string): string | undefined {
  const name = entryOf(context.assignmentNameMap, actionId);
  return typeof name === 'string' ? name : undefined;
}

/** Ids come from outside, so only the map's own entries count, not inherited ones. */
function entryOf(map: Readonly<Record<string, unknown>> | null | undefined, key: string): unknown {
  return map != null && Object.hasOwn(map, key) ? map[key] : undefined;
}
