import {
  AGENT_ASSIGNMENT_EVENT_NAME,
  ASSISTANT_CHUNK_EVENT_NAME,
  ENRICHMENT_EVENT_NAME,
  ERROR_EVENT_NAME,
  FINAL_EVENT_NAME,
  HOOK_FIRED_EVENT_NAME,
  INTERRUPT_REQUIRED_EVENT_NAME,
  SESSION_END_EVENT_NAME,
  SESSION_START_EVENT_NAME,
  STATUS_MESSAGE_EVENT_NAME,
  STREAM_GAP_EVENT_NAME,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_ERROR_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  TOOL_EVENT_NAME,
} from './names.js';

/** The event names whose payloads a bridge rebuilds with the payload builders. */
export const KNOWN_FAMILY_NAMES = [
  TOOL_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  ASSISTANT_CHUNK_EVENT_NAME,
  STATUS_MESSAGE_EVENT_NAME,
  INTERRUPT_REQUIRED_EVENT_NAME,
  AGENT_ASSIGNMENT_EVENT_NAME,
  ENRICHMENT_EVENT_NAME,
  FINAL_EVENT_NAME,
  ERROR_EVENT_NAME,
] as const;

/** Every event name of the contract. Any other name is an application event and passes through unchanged. */
export const CONTRACT_EVENT_NAMES = [
  ...KNOWN_FAMILY_NAMES,
  SYSTEM_TOOL_ERROR_EVENT_NAME,
  SESSION_START_EVENT_NAME,
  SESSION_END_EVENT_NAME,
  HOOK_FIRED_EVENT_NAME,
  STREAM_GAP_EVENT_NAME,
] as const;

/** An event name whose payload a bridge rebuilds. */
export type KnownFamilyName = (typeof KNOWN_FAMILY_NAMES)[number];

/** An event name of the contract. */
export type ContractEventName = (typeof CONTRACT_EVENT_NAMES)[number];

/** The events that end a turn (`final`, `error`) or the session (`session_end`). */
export const TERMINAL_EVENT_NAMES: ReadonlySet<string> = new Set([
  FINAL_EVENT_NAME,
  ERROR_EVENT_NAME,
  SESSION_END_EVENT_NAME,
]);

const knownFamilyNames: ReadonlySet<string> = new Set(KNOWN_FAMILY_NAMES);
const contractEventNames: ReadonlySet<string> = new Set(CONTRACT_EVENT_NAMES);

/** Whether a bridge rebuilds events of this name. The comparison is exact. */
export function isKnownFamilyName(name: string): name is KnownFamilyName {
  return knownFamilyNames.has(name);
}

/** Whether this name is part of the contract. The comparison is exact. */
export function isContractEventName(name: string): name is ContractEventName {
  return contractEventNames.has(name);
}
