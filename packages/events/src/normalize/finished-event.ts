import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';
import type { AppEvent } from '@svc/contracts';
import { readCleanText, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** The fields that are `null` where the contract has an empty object or list. */
const emptied = [
  ['tool', 'args', () => ({})],
  ['error_info', 'details', () => ({})],
  ['interrupt', 'choices', () => []],
] as const;

/**
 * A payload that is an event of the contract already, or nothing. It is passed on as it is: whatever else a
 * descriptor holds is the business of who reads it.
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
