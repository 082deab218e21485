import { APP_EVENT_CONTRACT_VERSION, isContractEventName } from '@svc/contracts';
import { EventSchemaError } from '../errors.js';
import { rebuildPayload } from '../payloads/rebuild-payload.js';
import { readEnrichmentScope } from '../payloads/enrichment.js';
import { readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { readToolId } from '../payloads/tool.js';
import { describeType, draftOfRecord } from './draft.js';
import type { Draft } from './draft.js';
import { isIdentified } from './identify.js';

// eslint-disable-next-line no-control-regex -- NUL is what the test is for
const frameBreaking = /[\r\n\u0000]/;

/**
 * Creates a draft of an event emitted by name. Known families are rebuilt with their builders.
 *
 * @throws TypeError if the name is not a string, or contains CR, LF or NUL, which would break an SSE frame.
 * @throws EventSchemaError if the payload is not an object.
 */
export function rebuild(eventName: string, payload: unknown): Draft {
  const type = readEventName(eventName);
  const draft = draftOfRecord(type, payload, (given) => {
    const isComplete = given.contract_version === APP_EVENT_CONTRACT_VERSION;
    const own = { type, payload: ownPayload(type, given), isComplete };
    if (type === 'enrichment') return { ...own, scope: readEnrichmentScope(given) };
    if (type !== 'tool_event') return own;
    return { ...own, hasDerivedId: readToolId(given, readRecord(given.tool)) === undefined };
  });
  if (draft !== undefined) return draft;
  throw new EventSchemaError(type, [`data must be an object, got ${describeType(payload)}`]);
}

/** Copies an event that is not rebuilt but gets ids, so that the caller's object is not changed. */
function ownPayload(type: string, payload: JsonRecord): JsonRecord {
  const rebuilt = rebuildPayload(type, payload);
  return rebuilt === payload && isIdentified(type) ? { ...payload } : rebuilt;
}

function readEventName(eventName: unknown): string {
  if (typeof eventName !== 'string') {
    throw new TypeError(`eventName must be a string, got ${describeType(eventName)}`);
  }
  if (isContractEventName(eventName)) return eventName;
  if (frameBreaking.test(eventName)) {
    throw new TypeError(`eventName must not contain CR, LF or NUL, got ${JSON.stringify(eventName)}`);
  }
  const canonical = eventName.trim().toLowerCase();
  return isContractEventName(canonical) ? canonical : eventName.toWellFormed();
}
