import type { AppEvent } from '@svc/contracts';
import { buildAssistantChunkPayload } from '../payloads/assistant.js';
import { readCleanText, readStreamText } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizeContext } from './context.js';
import type { NormalizedStreamState } from './state.js';

/** Normalizes an assistant's cumulative text to its new part. */
export function normalizeStreamingText(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = readStreamText(payload.streaming_content);
  if (text === undefined) return [];
  const assistantId = readCleanText(payload.assistant_id) ?? 'assistant';
  const { delta, replaceContent } = advanceText(context.state, assistantId, text);
  if (delta === '') return [];
  return [buildAssistantChunkPayload({ assistantId, text: delta, replaceContent, ...context.participant })];
}

/**
 * Returns what to show of a cumulative text. If the text grew, that is the new part. If it shrank to its own beginning,
 * it is nothing and the longer text is kept, because growing again would otherwise repeat text. Any other text replaces
 * what was shown.
 */
function advanceText(state: NormalizedStreamState, assistantId: string, text: string) {
  const shown = state.streamingTextById.get(assistantId) ?? '';
  if (beginsWith(shown, text)) return { delta: '', replaceContent: false };
  state.keepText(assistantId, text);
  if (beginsWith(text, shown)) return { delta: text.slice(shown.length), replaceContent: false };
  return { delta: text, replaceContent: true };
}

/** Comparing slices is many times faster than `startsWith` on long texts, and this runs for every token. */
function beginsWith(text: string, start: string): boolean {
  return text.length >= start.length && text.slice(0, start.length) === start;
}

/** Normalizes a `progress_update`: its text is already a delta and not part of the cumulative text. */
export function normalizeProgressUpdate(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = readStreamText(payload.text);
  if (text === undefined) return [];
  const assistantId = readCleanText(payload.assistant_id) ?? 'assistant';
  return [buildAssistantChunkPayload({ assistantId, text, ...context.participant })];
}
