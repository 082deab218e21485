import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../is-record.js';

const UNCHECKED = 'svc/unchecked';

/**
 * Hides a page of tools or the result of a call of a server without sessions from the MCP library, which would refuse all
 * tools because of one, and collect millions of faults of a result. They are checked later.
 */
export function hideResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'complete') return message;
  const empty = emptyResult(message.result);
  if (!empty) return message;
  return { ...message, result: { resultType: 'complete', ...empty, [UNCHECKED]: message.result } };
}

/** Returns the result that another one hides, or the result. */
export function showResult(result: unknown): unknown {
  return isRecord(result) && UNCHECKED in result ? result[UNCHECKED] : result;
}

function emptyResult({ tools, content }: Readonly<Record<string, unknown>>): object | undefined {
  if (Array.isArray(tools)) return { tools: [], ttlMs: 0, cacheScope: 'private' };
  return Array.isArray(content) ? { content: [] } : undefined;
}
