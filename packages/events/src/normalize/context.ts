import { refuseUnknown } from '../check-option.js';
import type { ParticipantArguments } from '../payloads/compose.js';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizedStreamState } from './state.js';

/** What is known of a tool besides what its calls say. All fields are optional. */
export interface ToolMetadata {
  /** Display name; wins over `name`. */
  readonly tool_name?: string | null | undefined;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** `func`, `agent`, `mcp`, ... */
  readonly tool_type?: string | null | undefined;
  /** Agent the tool belongs to. */
  readonly agent_name?: string | null | undefined;
  /** Swarm the tool belongs to. */
  readonly swarm_name?: string | null | undefined;
  /** For an agent tool, the id of the agent it calls; becomes the argument `agent_id`. */
  readonly target_agent_id?: string | null | undefined;
  readonly [extra: string]: unknown;
}

/** Options of `normalizeStream` and `normalizeStreamEvent`. All are optional. */
export interface NormalizeOptions {
  /** Agent of tool events that name none. */
  readonly defaultAgentName?: string | null | undefined;
  /** Swarm of tool events and assignments that name none. */
  readonly defaultSwarmName?: string | null | undefined;
  /** Participant key of text, tool events, assignments and enrichments. */
  readonly defaultParticipantKey?: string | null | undefined;
  /** Participant name of text, tool events, assignments and enrichments. */
  readonly defaultParticipantName?: string | null | undefined;
  /** Participant role of text, tool events, assignments and enrichments. */
  readonly defaultParticipantRole?: string | null | undefined;
  /** Raw tool id to display name. */
  readonly toolNameMap?: Readonly<Record<string, string>> | null | undefined;
  /** Raw tool id to what is known of the tool; wins over `toolNameMap` and over the call. */
  readonly toolMetadataMap?: Readonly<Record<string, ToolMetadata>> | null | undefined;
  /** Action id to the display name of the swarm member. */
  readonly assignmentNameMap?: Readonly<Record<string, string>> | null | undefined;
}

/** The caller's defaults, read once, and the stream's state. */
export interface NormalizeContext extends Pick<
  NormalizeOptions,
  'toolNameMap' | 'toolMetadataMap' | 'assignmentNameMap'
> {
  readonly state: NormalizedStreamState;
  readonly agentName: string | undefined;
  readonly swarmName: string | undefined;
  readonly participant: ParticipantArguments;
}

/**
 * Reads the caller's options once for a stream.
 *
 * @throws TypeError naming an option that the owner does not know.
 */
export function createNormalizeContext(
  options: NormalizeOptions,
  { owner, state }: { owner: string; state: NormalizedStreamState },
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
    ...unknown
  } = options;
  refuseUnknown(owner, unknown);
  return {
    state,
    agentName: readCleanText(defaultAgentName),
    swarmName: readCleanText(defaultSwarmName),
    participant: { participantKey, participantName, participantRole },
    toolNameMap,
    toolMetadataMap,
    assignmentNameMap,
  };
}

/** The metadata the caller gave for a tool. */
export function toolMetadataOf(context: NormalizeContext, toolId: string): JsonRecord | undefined {
  return readRecord(entryOf(context.toolMetadataMap, toolId));
}

/** The display name the caller gave for a tool. */
export function toolNameOf(context: NormalizeContext, toolId: string): string | undefined {
  return readCleanText(entryOf(context.toolNameMap, toolId));
}

/** The display name the caller gave for an action; an empty one is a name. */
export function assignmentNameOf(context: NormalizeContext, actionId: string): string | undefined {
  const name = entryOf(context.assignmentNameMap, actionId);
  return typeof name === 'string' ? name : undefined;
}

/** Ids come from outside: only the caller's own entries count, not what every object inherits. */
function entryOf(map: Readonly<Record<string, unknown>> | null | undefined, key: string): unknown {
  return map != null && Object.hasOwn(map, key) ? map[key] : undefined;
}
