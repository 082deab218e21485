import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';
import type { AppEvent } from '@svc/contracts';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** Fields that may be `null` although the contract requires an empty object or list. */
const emptied = [
  ['tool', 'args', () => ({})],
  ['error_info', 'details', () => ({})],
  ['interrupt', 'choices', () => []],
] as const;

/**
 * Returns a payload that is already an event of the contract; otherwise undefined. Apart from those `null` fields it is
 * passed on unchanged; its readers handle whatever else its descriptors contain.
 */
export function readFinishedEvent(payload: JsonRecord): AppEvent | undefined {
  if (!isFinishedEvent(payload)) return undefined;
  let event: AppEvent = payload;
  for (const [descriptor, field, empty] of emptied) {
    const nested = readRecord(event[descriptor]);
    if (nested?.[field] === null) event = { ...event, [descriptor]: { ...nested, [field]: empty() } };
  }
  return event;
}

function isFinishedEvent(payload: JsonRecord): payload is JsonRecord & AppEvent {
  return (
    payload.contract_version === APP_EVENT_CONTRACT_VERSION && readCleanText(payload.event_name) !== undefined
  );
}
