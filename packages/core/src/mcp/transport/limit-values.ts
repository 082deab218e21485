import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { hasTooManyValues } from '../value-limit.js';
import { INVALID_ANSWER } from './read-message.js';

/** What the library takes as it is, and svc checks up to its first fault. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['tools', 'content', 'structuredContent', 'data']);

/** Replaces a message with too many values: a response becomes an error, anything else loses its parameters. */
export function limitValues(message: JSONRPCMessage): JSONRPCMessage {
  if (!hasTooManyValues(message, CONTENT_FIELDS)) return message;
  const { jsonrpc } = message;
  if (!('method' in message)) return { jsonrpc, id: message.id, error: INVALID_ANSWER };
  const { method } = message;
  return 'id' in message ? { jsonrpc, id: message.id, method } : { jsonrpc, method };
}
