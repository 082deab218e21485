import type { AppEvent } from '@svc/contracts';
import { buildAssistantChunkPayload } from '../payloads/assistant.js';
import { readCleanText, readStreamText } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizeContext } from './context.js';
import type { NormalizedStreamState } from './state.js';

/** The new part of an assistant's cumulative text. */
export function normalizeStreamingText(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = readStreamText(payload.streaming_content);
  if (text === undefined) return [];
  const assistantId = readCleanText(payload.assistant_id) ?? 'assistant';
  const { delta, replaceContent } = advanceText(context.state, assistantId, text);
  if (delta === '') return [];
  return [buildAssistantChunkPayload({ assistantId, text: delta, replaceContent, ...context.participant })];
}

/**
 * What to show of a cumulative text after the one before. A text that grew gives the rest. One that shrank to its
 * own beginning gives nothing and the longer one stays, or growing again would repeat text. Any other is a fresh
 * start that replaces what was shown.
 */
function advanceText(state: NormalizedStreamState, assistantId: string, text: string) {
  const shown = state.streamingTextById.get(assistantId) ?? '';
  if (beginsWith(shown, text)) return { delta: '', replaceContent: false };
  state.keepText(assistantId, text);
  if (beginsWith(text, shown)) return { delta: text.slice(shown.length), replaceContent: false };
  return { delta: text, replaceContent: true };
}

/** A comparison of whole texts is many times faster than `startsWith` on long ones, and this runs for every token. */
function beginsWith(text: string, start: string): boolean {
  return text.length >= start.length && text.slice(0, start.length) === start;
}

/** `progress_update`: the text is a delta already and does not enter the cumulative text. */
export function normalizeProgressUpdate(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = readStreamText(payload.text);
  if (text === undefined) return [];
  const assistantId = readCleanText(payload.assistant_id) ?? 'assistant';
  return [buildAssistantChunkPayload({ assistantId, text, ...context.participant })];
}
