import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../is-record.js';

const UNCHECKED = 'svc/unchecked';

/**
 * Hides a page of tools of a server without sessions from the MCP library, which would refuse all of them because of one.
 * Each is checked on its own later.
 */
export function hidePage(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { resultType, tools } = message.result;
  if (resultType !== 'complete' || !Array.isArray(tools)) return message;
  const empty = { tools: [], nextCursor: undefined, ttlMs: 0, cacheScope: 'private' };
  return { ...message, result: { ...message.result, ...empty, [UNCHECKED]: message.result } };
}

/** Returns the page that a result hides, or the result. */
export function showPage(result: unknown): unknown {
  return isRecord(result) && UNCHECKED in result ? result[UNCHECKED] : result;
}
