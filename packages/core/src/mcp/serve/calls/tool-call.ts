import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Caller, OfferedResult } from '../offers/offer.js';

/** A call of a tool, as a client sent it. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reports: Pick<Caller, 'reportProgress' | 'reportLog'>;
}

/** Converts the result of a call to the protocol's. */
export function toCallResult({ isError, text, structured }: OfferedResult): CallToolResult {
  return {
    isError,
    content: [{ type: 'text', text }],
    ...(structured ? { structuredContent: structured } : {}),
  };
}
