import { readCleanText, readInteger, readRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';

/** Forwards a hook that ran. A bridge gets it even if fields are missing. */
export const forwardHookFired: ForwardFamily = (event) => {
  const nested = readRecord(event.hook);
  const text = (key: string) => readCleanText(event[key]) ?? readCleanText(nested?.[key]);
  return {
    report: (reporter) => {
      const [name, stage, status, targetType] = [
        text('name'),
        text('stage'),
        text('status'),
        text('target_type'),
      ];
      if (name === undefined || stage === undefined || status === undefined || targetType === undefined)
        return;
      const source = text('source');
      return reporter.reportHookFired?.({
        name,
        stage,
        status,
        targetType,
        targetId: text('target_id') ?? null,
        targetName: text('target_name') ?? null,
        error: text('error') ?? null,
        elapsedMs: readInteger(event.elapsed_ms) ?? readInteger(nested?.elapsed_ms) ?? null,
        ...(source !== undefined && { source }),
      });
    },
    emission: () => ({ payload: payloadOf(event) }),
  };
};
