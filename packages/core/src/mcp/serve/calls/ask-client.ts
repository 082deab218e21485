import type { Server } from '@modelcontextprotocol/server';
import { MAX_TIMER_MS } from '../../../deadline.js';
import { expired } from '../../../interrupts/errors.js';
import { INTERRUPT_EXPIRES_IN_MS } from '../../../tools/reports/question.js';
import type { ToolQuestion } from '../../../tools/reports/tool-reports.js';
import { formOf, readAnswer, refused } from './question-form.js';

/** Asks the person at a client that has a session, with a form of one field. */
export async function askClient(
  server: Server,
  question: ToolQuestion,
  relatedRequestId: string | number,
  signal: AbortSignal,
): Promise<string | number | boolean> {
  const form = formOf(question, server.getClientCapabilities()?.elicitation?.form !== undefined);
  const withdrawn = question.signal ? AbortSignal.any([signal, question.signal]) : signal;
  const { name, expiresInMs = INTERRUPT_EXPIRES_IN_MS } = question;
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/server');
  const timeout = Math.min(expiresInMs, MAX_TIMER_MS);
  const answer = await server
    .elicitInput(form, { signal: withdrawn, timeout, relatedRequestId })
    .catch((error: unknown) => {
      withdrawn.throwIfAborted();
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) throw expired(name);
      if (!(error instanceof ProtocolError || error instanceof SdkError)) throw error;
      throw refused(`The client did not answer the question: ${error.message}`);
    });
  return readAnswer(question, answer);
}
