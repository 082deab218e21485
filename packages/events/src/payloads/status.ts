import { APP_EVENT_CONTRACT_VERSION, STATUS_MESSAGE_EVENT_NAME } from '@svc/contracts';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readRecord, readStreamText } from './read-field.js';
import type { JsonRecord } from './read-field.js';

/** The fields of a `status_message` event. */
export interface StatusMessageArguments {
  /** The id of the assistant whose status this is. */
  assistantId: string;
  /** The status line, complete in itself. */
  message: string;
}

/** Builds the payload of a `status_message`: a line that a client shows on its own and never appends. */
export function buildStatusMessagePayload({ assistantId, message }: StatusMessageArguments) {
  return {
    assistant_id: assistantId,
    message,
    assistant: { id: assistantId },
    status: { message },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: STATUS_MESSAGE_EVENT_NAME,
    event_kind: 'status' as const,
  };
}

/** Rebuilds an external `status_message`. */
export function rebuildStatusMessage(input: JsonRecord): JsonRecord {
  const built = buildStatusMessagePayload({
    assistantId:
      readCleanText(input.assistant_id) ?? readCleanText(readRecord(input.assistant)?.id) ?? 'assistant',
    message: readStreamText(input.message) ?? readStreamText(readRecord(input.status)?.message) ?? '',
  });
  return keepExtras(built, input);
}
