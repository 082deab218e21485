import { readCleanText, readRecord, readStreamText } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';

/** Forwards an assistant's text. */
export const forwardAssistantChunk: ForwardFamily = (event, state) => {
  const nested = readRecord(event.assistant);
  const text = readStreamText(event.text) ?? readStreamText(nested?.delta);
  if (text === undefined) return undefined;
  const assistantId = readCleanText(event.assistant_id) ?? readCleanText(nested?.id) ?? 'assistant';
  const replaceContent = event.replace_content === true || nested?.replace_content === true;
  return {
    report: (reporter) => {
      const fullText = state.addText(assistantId, { text, replaces: replaceContent });
      return reporter.reportResponseChunk?.({ text, assistantId, fullText, replaceContent });
    },
    emission: () => ({ payload: payloadOf(event) }),
  };
};

/** Forwards a status line. */
export const forwardStatusMessage: ForwardFamily = (event) => {
  const message = readStreamText(event.message) ?? readStreamText(readRecord(event.status)?.message);
  if (message === undefined) return undefined;
  const assistantId =
    readCleanText(event.assistant_id) ?? readCleanText(readRecord(event.assistant)?.id) ?? 'assistant';
  return {
    report: (reporter) => reporter.reportStatusMessage?.({ message, assistantId }),
    emission: () => ({ payload: payloadOf(event) }),
  };
};
