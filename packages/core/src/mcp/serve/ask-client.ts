import type { ElicitResult, PrimitiveSchemaDefinition, Server } from '@modelcontextprotocol/server';
import { MAX_TIMER_MS } from '../../deadline.js';
import { InterruptError } from '../../interrupts/errors.js';
import { parseAnswer, type InterruptInputType } from '../../interrupts/input-type.js';
import { INTERRUPT_EXPIRES_IN_MS } from '../../tools/reports/question.js';
import type { ToolQuestion } from '../../tools/reports/tool-reports.js';
import { MCPError } from '../errors.js';

/** Asks the person at a client, with a form of one field. */
export async function askClient(
  server: Server,
  question: ToolQuestion,
  relatedRequestId: string | number,
  signal: AbortSignal,
): Promise<string | number | boolean> {
  if (!server.getClientCapabilities()?.elicitation?.form)
    throw refused('The call needs an answer from a person, but the client does not support questions.');
  const withdrawn = question.signal ? AbortSignal.any([signal, question.signal]) : signal;
  const { name, prompt, inputType = 'text', choices = [], expiresInMs = INTERRUPT_EXPIRES_IN_MS } = question;
  if (inputType === 'password') throw refused('A password must not go through an MCP client.');
  const properties = { [name]: { title: name, ...FIELDS[inputType](choices) } };
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/server');
  const answered: ElicitResult = await server
    .elicitInput(
      { message: prompt, requestedSchema: { type: 'object', properties, required: [name] } },
      { signal: withdrawn, timeout: Math.min(expiresInMs, MAX_TIMER_MS), relatedRequestId },
    )
    .catch((error: unknown) => {
      withdrawn.throwIfAborted();
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        throw new InterruptError(`Nobody answered '${name}' in time.`, { code: 'INTERRUPT_EXPIRED' });
      if (!(error instanceof ProtocolError || error instanceof SdkError)) throw error;
      throw refused(`The client did not answer the question: ${error.message}`);
    });
  if (answered.action !== 'accept')
    throw refused(`The question was ${answered.action === 'decline' ? 'declined' : 'cancelled'}.`);
  const parsed = parseAnswer({ inputType, choices }, answered.content?.[name]);
  if (!parsed.ok) throw refused(`The answer ${parsed.problem}.`);
  return parsed.value;
}

const FIELDS = {
  text: () => ({ type: 'string' }),
  password: () => ({ type: 'string' }),
  email: () => ({ type: 'string', format: 'email' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  choice: (choices) => ({ type: 'string', enum: [...choices] }),
} satisfies Record<InterruptInputType, (choices: readonly string[]) => PrimitiveSchemaDefinition>;

function refused(message: string): MCPError {
  return new MCPError(message, { code: 'MCP_QUESTION_REFUSED', server: 'client' });
}
