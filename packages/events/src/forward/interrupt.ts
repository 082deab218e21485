import { readCleanText, readRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';

/** Forwards a question to a person. Only a frontend can answer it, so it is not reported. */
export const forwardInterruptRequired: ForwardFamily = (event, state) => {
  const nested = readRecord(event.interrupt);
  const id = readCleanText(event.interrupt_id) ?? readCleanText(nested?.id);
  const dataKey = readCleanText(event.data_key) ?? readCleanText(nested?.data_key);
  const prompt = readCleanText(event.prompt) ?? readCleanText(nested?.prompt);
  if (id === undefined || dataKey === undefined || prompt === undefined) return undefined;
  const timestamp = readCleanText(event.timestamp) ?? state.now().toISOString();
  return {
    emission: () => ({
      payload: { ...payloadOf(event), timestamp },
    }),
  };
};
