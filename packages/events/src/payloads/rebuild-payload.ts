import { isKnownFamilyName } from '@svc/contracts';
import type { KnownFamilyName } from '@svc/contracts';
import { rebuildAgentAssignment } from './assignment.js';
import { rebuildAssistantChunk } from './assistant.js';
import { rebuildEnrichment } from './enrichment.js';
import { rebuildInterruptRequired } from './interrupt.js';
import { isOfOtherVersion } from './other-version.js';
import type { JsonRecord } from './read-field.js';
import { rebuildStatusMessage } from './status.js';
import { rebuildSystemToolChunk, rebuildSystemToolComplete, rebuildSystemToolStart } from './system-tool.js';
import { rebuildToolEvent } from './tool.js';
import { rebuildError, rebuildFinal } from './turn.js';

/** Builds the payload of a family from external input, which is not changed. */
export type Rebuild = (input: JsonRecord) => JsonRecord;

/** How each known family is rebuilt. */
const rebuilds = {
  tool_event: rebuildToolEvent,
  system_tool_start: rebuildSystemToolStart,
  system_tool_chunk: rebuildSystemToolChunk,
  system_tool_complete: rebuildSystemToolComplete,
  assistant_chunk: rebuildAssistantChunk,
  status_message: rebuildStatusMessage,
  interrupt_required: rebuildInterruptRequired,
  agent_assignment: rebuildAgentAssignment,
  enrichment: rebuildEnrichment,
  final: rebuildFinal,
  error: rebuildError,
} satisfies Record<KnownFamilyName, Rebuild>;

/**
 * Rebuilds the payload of a known family, so that flat fields, descriptors and envelope agree; unknown fields are kept.
 * Returns payloads with any other name or of another contract version unchanged. The name is compared exactly.
 */
export function rebuildPayload(eventName: string, payload: JsonRecord): JsonRecord {
  return isKnownFamilyName(eventName) && !isOfOtherVersion(payload) ? rebuilds[eventName](payload) : payload;
}
