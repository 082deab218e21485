import type { JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** What an answer that is none of the protocol's is read as: an error of its request, which else would wait for it. */
export const INVALID_ANSWER = { code: -32603, message: 'The answer is none of the protocol' };

/** Something that says which request it answers, whatever else it says. */
const AnswerSchema = z.object({ id: z.union([z.string(), z.number()]), method: z.undefined().optional() });

/** Reads a message of a server's. What is neither a message nor meant as an answer throws. */
export function readMessage(text: string, schema: typeof JSONRPCMessageSchema): JSONRPCMessage {
  const json: unknown = JSON.parse(text);
  const message = schema.safeParse(json);
  if (message.success) return message.data;
  const answer = AnswerSchema.safeParse(json);
  if (!answer.success) throw message.error;
  return { jsonrpc: '2.0', id: answer.data.id, error: INVALID_ANSWER };
}
