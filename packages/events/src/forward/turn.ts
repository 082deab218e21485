import { safeErrorText } from '../audience/error-text.js';
import { readCleanText, readOwnOr, readRecord, readStreamText } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily, Forwarding } from './forwarding.js';
import type { Reporter } from './reporter.js';

/** Forwards the start of a session or a new turn. */
export const forwardSessionStart: ForwardFamily = (event, state) => {
  state.beginTurn();
  const nested = readRecord(event.session);
  const sessionId = readCleanText(event.session_id) ?? readCleanText(nested?.id);
  const assistantId = readCleanText(event.assistant_id) ?? readCleanText(nested?.assistant_id);
  return {
    report: (reporter) => {
      if (sessionId === undefined || assistantId === undefined) return;
      return reporter.reportSessionStart?.({ sessionId, assistantId });
    },
    emission: () => ({ payload: payloadOf(event) }),
  };
};

/** Forwards an `error`: the turn ended without an answer. */
export const forwardError: ForwardFamily = (event, state) => {
  state.endByError();
  return {
    report: (reporter) => reporter.printEvent?.({ eventType: 'error', message: failureSentence(event) }),
    emission: () => ({ payload: payloadOf(event) }),
  };
};

/** Forwards a `final`. A failed one after an `error` is not emitted again: it reports the same end. */
export const forwardFinal: ForwardFamily = (event, state) => {
  const status = readCleanText(event.status);
  const tokenUsage = readUsage(event);
  const summarize = (reporter: Reporter) => reporter.printSummary?.({ tokenUsage });
  if (status === 'failed' && state.endedByError) return { report: summarize };
  const emission: Forwarding['emission'] = () => ({ payload: payloadOf(event) });
  if (status === 'interrupted') return { emission };
  if (status !== 'failed' && status !== 'cancelled') {
    return { report: (reporter) => reportAnswer(reporter, { event, tokenUsage }), emission };
  }
  const report = async (reporter: Reporter) => {
    await reporter.printEvent?.(
      status === 'failed'
        ? { eventType: 'error', message: failureSentence(event) }
        : {
            eventType: 'warning',
            message: `Agent execution was cancelled: ${withFullStop(readFailure(event))}`,
          },
    );
    await summarize(reporter);
  };
  return { report, emission };
};

async function reportAnswer(
  reporter: Reporter,
  { event, tokenUsage }: { event: JsonRecord; tokenUsage: JsonRecord | null },
): Promise<void> {
  const output = readRecord(event.output);
  const response = readStreamText(event.response) ?? readStreamText(output?.response);
  await reporter.printEvent?.({ eventType: 'success', message: 'Agent execution completed successfully!' });
  await reporter.printSummary?.({ tokenUsage });
  if (response !== undefined) await reporter.printFinalResponse?.({ response });
  await reporter.printFinalResult?.({ result: readOwnOr(event, 'result', output) ?? null });
}

const readUsage = (event: JsonRecord) =>
  readRecord(event.token_usage) ?? readRecord(readRecord(event.output)?.token_usage) ?? null;

const readFailure = (event: JsonRecord) =>
  safeErrorText(
    readCleanText(event.error) ?? readCleanText(readRecord(event.error_info)?.message) ?? 'Unknown error',
  );

const failureSentence = (event: JsonRecord) =>
  `Agent execution failed: ${withFullStop(readFailure(event))} Contact support if this persists.`;

const withFullStop = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
