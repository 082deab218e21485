import type { Client } from '@modelcontextprotocol/client';
import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';
import type { Logger } from '../../logging/logger.js';
import { JsonObjectSchema } from '../../tools/declaration/input-schema.js';
import { showResult } from '../transport/unchecked-result.js';
import { findArgumentHeaders } from './argument-headers.js';

const PageSchema = z.preprocess(
  showResult,
  z.looseObject({
    tools: z.array(z.unknown()),
    nextCursor: z.string().nullish(),
    ttlMs: z.number().optional().catch(undefined),
  }),
);
const ObjectShapeSchema = z.looseObject({
  type: z.literal('object').optional(),
  properties: z.record(z.string(), z.union([z.looseObject({}), z.boolean()])).optional(),
  required: z.array(z.string()).optional(),
});

function describesObject(schema: JsonObject): boolean {
  return ObjectShapeSchema.safeParse(schema).success;
}

const hint = z.boolean().optional().catch(undefined);

const ServerToolSchema = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: JsonObjectSchema.refine(describesObject, 'must describe an object'),
  outputSchema: JsonObjectSchema.nullish(),
  annotations: z
    .looseObject({
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
      title: z.string().optional(),
    })
    .nullish()
    .catch(undefined),
  execution: z.looseObject({ taskSupport: z.string().optional() }).nullish().catch(undefined),
});

/** A tool as its server describes it. */
export type ServerTool = z.infer<typeof ServerToolSchema>;

/** The maximum number of pages, however many a server has. */
const MAX_PAGES = 200;
/** How many unusable tools are left out one by one. */
const MAX_UNUSABLE = 100;
/** The largest description of one tool, in characters of JSON. */
const MAX_TOOL_LENGTH = 256 * 1024;

/** How tools are listed. */
export interface ListOptions {
  readonly maxTools: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Whether arguments are sent in headers as well, as tools may ask for. */
  readonly usesHeaders: boolean;
  /** Called with the time for which a page is valid, in milliseconds, if the server gives it. */
  readonly onValidity: (ttlMs: number) => void;
}

/** Lists all tools of a server, page by page. Malformed, too large and duplicate tools are left out and logged. */
export async function listServerTools(client: Client, options: ListOptions): Promise<ServerTool[]> {
  const tools = new Map<string, ServerTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let unusable = 0;
  for (let page = 0; page < MAX_PAGES && tools.size < options.maxTools; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const limits = { signal: options.signal, timeout: options.timeoutMs };
    const listed = await client.request({ method: 'tools/list', params }, PageSchema, limits);
    if (listed.ttlMs !== undefined) options.onValidity(listed.ttlMs);
    for (const entry of listed.tools) {
      if (tools.size >= options.maxTools) return cutList(tools, options.logger);
      if (addTool(tools, entry, options)) continue;
      unusable += 1;
      if (unusable >= MAX_UNUSABLE) return cutUnusable(tools, options.logger);
    }
    cursor = listed.nextCursor ?? undefined;
    if (cursor === undefined) return [...tools.values()];
    if (cursors.has(cursor)) {
      options.logger.warn("The pages of an MCP server's tools form a cycle; the rest is ignored.");
      return [...tools.values()];
    }
    cursors.add(cursor);
  }
  return cutList(tools, options.logger);
}

function cutList(tools: ReadonlyMap<string, ServerTool>, logger: Logger): ServerTool[] {
  logger.warn('An MCP server has more tools than maxTools; the rest is ignored.', { taken: tools.size });
  return [...tools.values()];
}

function cutUnusable(tools: ReadonlyMap<string, ServerTool>, logger: Logger): ServerTool[] {
  logger.warn('An MCP server has too many unusable tools; the rest is ignored.', { taken: tools.size });
  return [...tools.values()];
}

/** Adds a tool, or logs why it cannot be used. Returns whether it was added. */
function addTool(
  tools: Map<string, ServerTool>,
  entry: unknown,
  { logger, usesHeaders }: ListOptions,
): boolean {
  const tool = parseTool(entry);
  const problem = typeof tool === 'string' ? tool : findProblem(tool, tools, usesHeaders);
  if (typeof tool === 'string' || problem !== undefined) {
    const name = z.looseObject({ name: z.string().max(256) }).safeParse(entry).data?.name;
    logger.warn('A tool of an MCP server is ignored.', { tool: name, problem });
    return false;
  }
  tools.set(tool.name, tool);
  return true;
}

/** Returns a tool, or why it is none. */
function parseTool(entry: unknown): ServerTool | string {
  try {
    // Before it is parsed, because the faults of a huge one would fill the memory.
    if (JSON.stringify(entry).length > MAX_TOOL_LENGTH) return 'it is too large';
    return ServerToolSchema.safeParse(entry).data ?? 'it is malformed';
  } catch {
    // A tool nested too deeply to be serialized is malformed too.
    return 'it is malformed';
  }
}

function findProblem(
  tool: ServerTool,
  tools: ReadonlyMap<string, ServerTool>,
  usesHeaders: boolean,
): string | undefined {
  if (tools.has(tool.name)) return 'another one has its name';
  if (tool.execution?.taskSupport === 'required') return 'it can only be called as a task';
  return usesHeaders && !findArgumentHeaders(tool.inputSchema)
    ? 'a declaration of its x-mcp-header is invalid'
    : undefined;
}
