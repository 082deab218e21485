import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';
import { readCleanText } from './read-field.js';
import type { JsonRecord } from './read-field.js';

/** Whether a payload says that it is of a version of the contract whose fields nobody here knows. */
export function isOfOtherVersion({ contract_version }: JsonRecord): boolean {
  return (readCleanText(contract_version) ?? APP_EVENT_CONTRACT_VERSION) !== APP_EVENT_CONTRACT_VERSION;
}
