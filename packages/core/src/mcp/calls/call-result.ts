import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';
import { isArrayOf } from '../../is-array-of.js';
import { isRecord } from '../../is-record.js';
import { JsonObjectSchema } from '../../tools/declaration/input-schema.js';
import { MCPError } from '../errors.js';
import { showResult } from '../transport/unchecked-result.js';

type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

const isContentBlock = (value: unknown): value is ContentBlock =>
  isRecord(value) && typeof value['type'] === 'string';

/** Stops at the first block that is none; an array's schema would report millions, in hundreds of megabytes of text. */
const ContentSchema = z.custom<readonly ContentBlock[]>((value) => isArrayOf(value, isContentBlock));

export const CallResultSchema = z.preprocess(
  showResult,
  z.looseObject({
    content: ContentSchema.default([]),
    structuredContent: z.record(z.string(), z.unknown()).nullish(),
    isError: z.boolean().nullish(),
  }),
);
/** A server's response to a call; other fields are dropped. */
export type CallResult = z.infer<typeof CallResultSchema>;

/** The result of a call, as returned to the planner. */
export interface MCPToolResult {
  /** Whether the server marks the result as an error. */
  readonly is_error: boolean;
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structured_content?: Readonly<Record<string, unknown>>;
  /** Signs of a failure in a result that the server does not mark as an error. */
  readonly soft_error?: { readonly message: string; readonly keys: readonly string[] };
}

/** The rules for reading results. */
export interface ResultRules {
  readonly server: string;
  readonly tool: string;
  readonly raiseToolErrors: boolean;
  readonly softErrorKeys: readonly string[];
}

const MAX_MESSAGE_LENGTH = 1_000;

/** Converts a server's response for the planner. A failed call is a result too, unless failures should be raised. */
export function readCallResult(result: CallResult, rules: ResultRules): MCPToolResult {
  const { content, structuredContent } = result;
  if (result.isError === true && rules.raiseToolErrors) {
    throw new MCPError(`'${rules.tool}' of the MCP server '${rules.server}' failed: ${readText(content)}`, {
      code: 'MCP_TOOL_FAILED',
      server: rules.server,
    });
  }
  const softError = result.isError === true ? undefined : findSoftError(result, rules.softErrorKeys);
  return {
    is_error: result.isError === true,
    ...(content.length > 0 ? { content: content.map(withoutMeta) } : {}),
    ...(structuredContent ? { structured_content: structuredContent } : {}),
    ...(softError ? { soft_error: softError } : {}),
  };
}

/** Removes the protocol's metadata, which is of no use to a planner. */
function withoutMeta({
  _meta,
  ...block
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return block;
}

function findSoftError(
  { content, structuredContent }: CallResult,
  softErrorKeys: readonly string[],
): MCPToolResult['soft_error'] {
  const found = structuredContent ?? readJson(content);
  if (!found) return undefined;
  const keys = softErrorKeys.filter((key) => hasContent(found[key]));
  const [first] = keys;
  return first === undefined ? undefined : { message: describeValue(found[first]), keys };
}

/** Whether a field contains something: an empty list of errors does not. */
function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (readMessage(value) ?? JSON.stringify(value));
  // Cutting could split a private value, whose beginning would not be found.
  return text.length > MAX_MESSAGE_LENGTH ? 'The message is too long to repeat here; see the result.' : text;
}

function readMessage(value: unknown): string | undefined {
  return z.looseObject({ message: z.string() }).safeParse(value).data?.message;
}

/** Parses the only text of a response as a JSON object, if it is one. */
function readJson(content: CallResult['content']): JsonObject | undefined {
  const [only] = content;
  const text = content.length === 1 ? only?.['text'] : undefined;
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    return JsonObjectSchema.parse(JSON.parse(text));
  } catch {
    // Text that only looks like JSON is text.
    return undefined;
  }
}

function readText(content: CallResult['content']): string {
  const texts = content.map((block) => block['text']).filter((text) => typeof text === 'string');
  return texts.join('\n') || 'no reason was given';
}
