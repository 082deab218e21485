import { setTimeout as wait } from 'node:timers/promises';
import type { Client, ElicitResult, RequestOptions } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { MCPError } from '../errors.js';
import { CallResultSchema, type CallResult } from './call-result.js';

/** How often a server may ask for answers during a call. */
const MAX_ROUNDS = 10;
/** How long to wait before coming back to a server that asked for nothing but that, in milliseconds. */
const COME_BACK_AFTER_MS = 250;

const QuestionsSchema = z.record(
  z.string(),
  z.object({ method: z.literal('elicitation/create'), params: z.unknown() }),
);

/** How many questions a server may ask at once: nobody answers more. */
const MAX_QUESTIONS = 20;

/** A call whose server asks by returning questions instead of a result. */
export interface AnsweredCall {
  readonly server: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly options: RequestOptions & { readonly signal: AbortSignal };
  readonly ask: (question: unknown) => Promise<ElicitResult>;
  /** Called when the server wants the call to come back, whether or not it asks for something. */
  readonly onBegun: () => void;
}

/** Calls a tool of a server without a handshake, again with answers as long as the server asks. */
export async function callWithAnswers(client: Client, call: AnsweredCall): Promise<CallResult> {
  const { isInputRequiredResult, withInputRequired } = await import('@modelcontextprotocol/client');
  const { server, params, options, ask, onBegun } = call;
  const violation = (what: string) =>
    new MCPError(`The MCP server '${server}' ${what} while calling '${params.name}'.`, {
      code: 'MCP_PROTOCOL_VIOLATION',
      server,
    });
  const schema = withInputRequired(CallResultSchema);
  let answers = {};
  for (let round = 0; ; round += 1) {
    const request = { method: 'tools/call', params: { ...params, ...answers } };
    const result = await client.request(request, schema, { ...options, allowInputRequired: true });
    if (!isInputRequiredResult(result)) return result;
    onBegun();
    if (round === MAX_ROUNDS) throw violation('asked again and again for input');
    const { inputRequests = {}, requestState } = result;
    if (Object.keys(inputRequests).length > MAX_QUESTIONS)
      throw violation('asked too many questions at once');
    const questions = QuestionsSchema.safeParse(inputRequests).data;
    // Before anybody is asked in vain.
    if (!questions) throw violation('asked for something else than a form');
    const answered: [key: string, answer: ElicitResult][] = [];
    for (const [key, { params: question }] of Object.entries(questions))
      answered.push([key, await ask(question)]);
    if (answered.length === 0) await wait(COME_BACK_AFTER_MS, undefined, { signal: options.signal });
    answers = {
      ...(answered.length > 0 && { inputResponses: Object.fromEntries(answered) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
}
