import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import { parseAnswer, type InterruptInputType } from '../../../interrupts/input-type.js';
import type { ToolQuestion } from '../../../tools/reports/tool-reports.js';
import { MCPError } from '../../errors.js';

type Field = ElicitRequestFormParams['requestedSchema']['properties'][string];

const FIELDS = {
  text: () => ({ type: 'string' }),
  email: () => ({ type: 'string', format: 'email' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  choice: (choices) => ({ type: 'string', enum: [...choices] }),
} satisfies Record<Exclude<InterruptInputType, 'password'>, (choices: readonly string[]) => Field>;

/** What a person did with a form. */
export interface FormAnswer extends Pick<ElicitResult, 'action'> {
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns a question as a form of one field, for a client that supports forms. */
export function formOf(
  { name, prompt, inputType = 'text', choices = [] }: ToolQuestion,
  canAsk: boolean,
): ElicitRequestFormParams {
  if (!canAsk) throw unsupported();
  if (inputType === 'password') throw refused('A password must not go through an MCP client.');
  const properties = { [name]: { title: name, ...FIELDS[inputType](choices) } };
  return { message: prompt, requestedSchema: { type: 'object', properties, required: [name] } };
}

/** Reads the answer from a form that a person has filled in, declined or closed. */
export function readAnswer(
  { name, inputType = 'text', choices = [] }: ToolQuestion,
  { action, content }: FormAnswer,
): string | number | boolean {
  if (action !== 'accept')
    throw refused(`The question was ${action === 'decline' ? 'declined' : 'cancelled'}.`);
  const parsed = parseAnswer({ inputType, choices }, content?.[name]);
  if (!parsed.ok) throw refused(`The answer ${parsed.problem}.`);
  return parsed.value;
}

/** Creates the error for a question to a client that cannot ask anybody. */
export function unsupported(): MCPError {
  return refused('The call needs an answer from a person, but the client does not support questions.');
}

/** Creates the error for a question that the client did not answer. */
export function refused(message: string): MCPError {
  return new MCPError(message, { code: 'MCP_QUESTION_REFUSED', server: 'client' });
}
