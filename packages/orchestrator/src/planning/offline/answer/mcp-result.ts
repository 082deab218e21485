import type { JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject, textOf } from '../../../json-object.js';
import type { PlanTool } from '../../plan-context.js';

/** The result of an MCP server's tool. */
export interface McpResult {
  /** The structured content, otherwise the text. */
  readonly value: JsonValue;
  readonly isError: boolean;
}

/** Reads an MCP tool's envelope `{is_error, content, structured_content}`; undefined for other results. */
export function readMcpResult(result: JsonValue, { kind }: PlanTool): McpResult | undefined {
  if (kind !== 'mcp' || !isJsonObject(result) || typeof result['is_error'] !== 'boolean') return undefined;
  const { is_error: isError, content, structured_content: structured } = result;
  const blocks = isJsonArray(content) ? content.filter(isJsonObject) : [];
  // A picture or a file is named, not shown: its bytes mean nothing to a reader.
  const texts = blocks.map((block) => textOf(block['text']) ?? `[${textOf(block['type']) ?? 'content'}]`);
  return { value: structured ?? (texts.length > 0 ? texts.join('\n') : null), isError };
}
