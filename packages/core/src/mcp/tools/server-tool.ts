import type { JsonObject } from '@svc/contracts';
import { cutText } from '../../cut-text.js';
import { NO_HOOKS } from '../../hooks/hook.js';
import { createStableId } from '../../identifiers.js';
import type { Logger } from '../../logging/logger.js';
import { present } from '../../present.js';
import { PermissionSet, permissionTags } from '../../tools/declaration/permissions.js';
import { ToolOverride } from '../../tools/declaration/tool-override.js';
import { createTool, type Tool, type ToolContext } from '../../tools/declaration/tool.js';
import { isCredentialArgument } from '../credentials/credential-arguments.js';
import type { ServerTool } from './list-server-tools.js';
import { createSchemaCheck, type SchemaCheck } from '../schema/schema-check.js';
import type { ServerConfig } from '../server-options.js';

/** A call of a server's tool. */
export interface ServerCall {
  readonly tool: ServerTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  /** Whether the tool writes, so that calling it twice would matter. */
  readonly isWriting: boolean;
  /** Validates the result, if the server declares its schema. */
  readonly checkOutput: SchemaCheck | undefined;
}

/** The parts of a server's tool. */
export interface ServerToolParts {
  readonly config: ServerConfig;
  readonly name: string;
  readonly logger: Logger;
  readonly call: (call: ServerCall) => Promise<unknown>;
}

const MAX_DESCRIPTION_LENGTH = 8_192;

/**
 * Creates a tool from a server's tool: with defaults, injected arguments and overrides, and without credentials for the
 * planner.
 */
export function createServerTool(tool: ServerTool, parts: ServerToolParts): Tool {
  const { config } = parts;
  const names = Object.keys(tool.inputSchema['properties'] ?? {});
  const ofTool = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  const shared = new ToolOverride({ defaultArgs: ofTool(config.defaultArgs), inject: ofTool(config.inject) });
  const adapted = shared.apply(adapt(tool, parts));
  // The server chooses the name, which may be that of a property of every object.
  const override = Object.hasOwn(config.overrides, tool.name) ? config.overrides[tool.name] : undefined;
  const hidden = names.filter((name) => isCredentialArgument(name) && !config.exposeArguments.includes(name));
  return hideArguments(override ? override.apply(adapted) : adapted, new Set(hidden));
}

function adapt(tool: ServerTool, { config, name, logger, call }: ServerToolParts): Tool {
  const hints = tool.annotations ?? {};
  const permissions = readPermissions(hints);
  const checkAgainst = (schema: JsonObject) => createSchemaCheck(schema, { tool: tool.name, logger });
  const checkInput = checkAgainst(tool.inputSchema);
  const checkOutput = tool.outputSchema ? checkAgainst(tool.outputSchema) : undefined;
  const { isWriting } = permissions;
  return createTool({
    id: createStableId(`mcp:${config.name}:${tool.name}`),
    name,
    kind: 'mcp',
    description: cutText(tool.description || tool.title || tool.name, MAX_DESCRIPTION_LENGTH),
    tags: ['mcp', `mcp:${config.name}`, ...permissionTags(permissions)],
    permissions,
    metadata: describeOrigin(tool, config.name),
    composePolicies: new Map(),
    alwaysExecute: false,
    finalTool: false,
    idempotent: hints.readOnlyHint === true || hints.idempotentHint === true,
    // The server's own limits apply, which do not count the time that people take to answer.
    timeoutMs: Number.POSITIVE_INFINITY,
    maxResultBytes: config.maxResultBytes,
    inputSchema: { type: 'object', ...tool.inputSchema },
    outputSchema: tool.outputSchema ?? undefined,
    inject: new Map(),
    order: [],
    hooks: NO_HOOKS,
    async parseInput(args) {
      const problem = await checkInput(args);
      return problem === undefined
        ? { ok: true, value: args }
        : { ok: false, issues: [{ path: '', problem }] };
    },
    execute: async (args, context) => call({ tool, args, context, isWriting, checkOutput }),
  });
}

/** A tool may write unless the server marks it as read-only. */
function readPermissions({
  readOnlyHint,
  destructiveHint,
}: NonNullable<ServerTool['annotations']>): PermissionSet {
  if (readOnlyHint === true) return new PermissionSet(['read']);
  return new PermissionSet(destructiveHint === true ? ['write', 'delete'] : ['write']);
}

function describeOrigin(tool: ServerTool, server: string): JsonObject {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title } = tool.annotations ?? {};
  const annotations = present({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title });
  return {
    mcp_server: server,
    mcp_tool_name: tool.name,
    ...(tool.outputSchema ? { output_schema: tool.outputSchema } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

/** Removes arguments that a planner must neither see nor fill. */
function hideArguments(tool: Tool, hidden: ReadonlySet<string>): Tool {
  if (hidden.size === 0) return tool;
  const isShown = (name: string) => !hidden.has(name);
  const { properties, required } = tool.inputSchema;
  return createTool({
    ...tool,
    inputSchema: {
      ...tool.inputSchema,
      properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => isShown(name))),
      ...(Array.isArray(required)
        ? { required: required.filter((name) => typeof name === 'string' && isShown(name)) }
        : {}),
    },
    parseInput: async (args, injected) =>
      tool.parseInput(Object.fromEntries(Object.entries(args).filter(([name]) => isShown(name))), injected),
  });
}
