import { APP_EVENT_CONTRACT_VERSION, ASSISTANT_CHUNK_EVENT_NAME } from '@svc/contracts';
import { composeParticipant, withContext } from './compose.js';
import type { ParticipantArguments } from './compose.js';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readRecord, readStreamText } from './read-field.js';
import type { JsonRecord } from './read-field.js';

/** The fields of an `assistant_chunk` event. */
export interface AssistantChunkArguments extends ParticipantArguments {
  /** The id of the assistant that wrote the text. */
  assistantId: string;
  /** The text to append, never trimmed. */
  text: string;
  /** Whether the text replaces what was shown before instead of being appended. @default false */
  replaceContent?: boolean | null | undefined;
}

/** The `assistant` descriptor of a built chunk. */
type BuiltAssistant = {
  id: string;
  delta: string;
  replace_content?: true;
};

/** Builds the payload of an `assistant_chunk`: text for a client to append. */
export function buildAssistantChunkPayload(event: AssistantChunkArguments) {
  const { assistantId, text } = event;
  const participant = composeParticipant(event);
  const assistant: BuiltAssistant = { id: assistantId, delta: text };
  const payload = {
    assistant_id: assistantId,
    text,
    participant_key: participant?.key ?? null,
    participant_name: participant?.name ?? null,
    participant_role: participant?.role ?? null,
    assistant,
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: ASSISTANT_CHUNK_EVENT_NAME,
    event_kind: 'assistant' as const,
  };
  return withContext(replacing(payload, event.replaceContent === true), { participant });
}

/** Sets `replace_content`, flat and in the descriptor, if the text replaces what was shown. */
function replacing<Payload extends { assistant: BuiltAssistant }>(
  payload: Payload & { replace_content?: true },
  replaces: boolean,
) {
  if (replaces) payload.replace_content = payload.assistant.replace_content = true;
  return payload;
}

/** Rebuilds an external `assistant_chunk`. */
export function rebuildAssistantChunk(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.assistant);
  const built = buildAssistantChunkPayload({
    assistantId: readCleanText(input.assistant_id) ?? readCleanText(nested?.id) ?? 'assistant',
    text: readStreamText(input.text) ?? readStreamText(nested?.delta) ?? '',
    replaceContent: input.replace_content === true || nested?.replace_content === true,
    participantKey: readCleanText(input.participant_key),
    participantName: readCleanText(input.participant_name),
    participantRole: readCleanText(input.participant_role),
  });
  return keepExtras(built, input);
}
