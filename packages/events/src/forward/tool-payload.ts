import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { AppEvent } from '@svc/contracts';

const flatFields: ReadonlySet<string> = new Set([
  'tool_name',
  'tool_id',
  'event_id',
  'tool_type',
  'status',
  'args',
  'params',
  'result',
  'error',
  'agent_name',
  'swarm_name',
]);
const descriptorFields: ReadonlySet<string> = new Set([
  'id',
  'tool_id',
  'name',
  'type',
  'status',
  'args',
  'result',
  'error',
]);

/**
 * Returns what a tool event has besides the fields of a tool: participants, ids and the application's own fields, flat and
 * in the descriptor. Tool events derived from it keep them.
 */
export function toolExtrasOf(event: AppEvent): JsonRecord {
  const extras = omit(payloadOf(event), flatFields);
  return isRecord(extras.tool) ? { ...extras, tool: omit(extras.tool, descriptorFields) } : extras;
}

function omit(record: JsonRecord, names: ReadonlySet<string>): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([key, value]) => !names.has(key) && value !== null),
  );
}
