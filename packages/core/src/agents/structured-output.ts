import * as z from 'zod';
import { listIssues, parseWith } from '../tools/input-schema.js';
import type { RunOptions } from '../invocation/run-options.js';
import type { MessagesInput } from '../messages/message.js';
import type { AgentRun } from '../session/agent-run.js';
import { RunFailedError } from '../session/errors.js';
import type { InvokeResponse } from '../session/invoke-response.js';
import { declarationError } from '../tools/declaration-error.js';
import { defineModelTool, nameOfSchema } from '../tools/model-tool.js';
import type { ToolRegistry } from '../tools/registry.js';
import { parseReadings } from '../tools/parse-readings.js';
import { createTool, type Tool } from '../tools/tool.js';
import type { ReadResponses } from './run-starter.js';

/** Runs whose `result` has the type of a schema. */
export interface StructuredOutput<Result> {
  /** Runs to the end; `result` has the shape of the schema, or the promise rejects. */
  invoke(messages: MessagesInput, options?: RunOptions): Promise<InvokeResponse<Result>>;
  /** The same as a run that shows its events. */
  stream(messages: MessagesInput, options?: RunOptions): AgentRun<Result>;
}

/** The final tool of a structured run: the scope's own tool of that schema, or one made for the run. */
export function structuredTool(schema: z.ZodObject, registry: ToolRegistry): Tool {
  const registered = registry.findByOrigin(schema);
  const tool: Tool =
    registered ??
    defineModelTool(schema, {
      name: nameOfSchema(schema) ?? 'structured_output',
      description: schema.meta()?.description ?? 'Gives the answer of the run.',
    });
  return createTool({
    ...tool,
    finalTool: true,
    // The answer is parsed when the run has ended; until then it stays as it was filled, or a transform would work twice.
    parseInput: async (args, injected) => {
      const parsed = await tool.parseInput(args, injected);
      return parsed.ok ? { ok: true, value: pick({ ...tool.defaultArgs, ...args }, parsed.value) } : parsed;
    },
  });
}

/** Those that the schema knows: what it makes of the others' absence comes when the run has ended. */
function pick(args: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(known, name)));
}

/** Refuses what is no object schema of zod 4, such as JSON Schema. */
export function requireObjectSchema<Schema extends z.ZodObject>(schema: Schema): Schema {
  if (schema instanceof z.ZodObject) return schema;
  throw declarationError(
    'TOOL_INVALID_SCHEMA',
    'structuredOutput takes an object schema of zod 4, such as z.object({...}).',
  );
}

/** Reads a response whose result must meet the schema. Another shape is an error that names the places. */
export function readStructured<Schema extends z.ZodObject>(
  schema: Schema,
): (responses: ReadResponses) => Promise<InvokeResponse<z.output<Schema>>> {
  return async (responses) => {
    const [response] = responses;
    const results = responses.map(({ result }) => result);
    const parsed = await parseReadings(results, async (result) => parseWith(schema, result));
    if (parsed.ok) return { ...response, result: parsed.value };
    const { issues } = parsed;
    const places = listIssues(issues, '(result)');
    // What was answered stands in the response alone: it may hold what a redacted message kept from everybody else.
    throw new RunFailedError(`The result does not match the schema: ${places}.`, {
      code: 'RUN_RESULT_INVALID',
      response,
      details: { issues },
    });
  };
}
