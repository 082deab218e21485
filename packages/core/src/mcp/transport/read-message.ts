import type { JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import * as z from 'zod';

/** Replaces an invalid response, so that its request fails instead of waiting. */
export const INVALID_ANSWER = { code: -32603, message: 'The response is not a valid protocol message' };

/** Anything with the id of a request, whatever its content. */
const AnswerSchema = z.object({ id: z.union([z.string(), z.number()]), method: z.undefined().optional() });

/** Parses a message of a server. Throws for anything that is neither a message nor a response. */
export function readMessage(text: string, parse: typeof parseJSONRPCMessage): JSONRPCMessage {
  const json: unknown = JSON.parse(text);
  try {
    return parse(json);
  } catch (error) {
    const answer = AnswerSchema.safeParse(json);
    if (!answer.success) throw error;
    return { jsonrpc: '2.0', id: answer.data.id, error: INVALID_ANSWER };
  }
}
