import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';
import { readCleanText } from './read-field.js';
import type { JsonRecord } from './read-field.js';

/** Whether a payload declares another contract version, whose fields are unknown here. */
export function isOfOtherVersion({ contract_version }: JsonRecord): boolean {
  return (readCleanText(contract_version) ?? APP_EVENT_CONTRACT_VERSION) !== APP_EVENT_CONTRACT_VERSION;
}
