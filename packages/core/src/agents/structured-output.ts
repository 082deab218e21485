import type * as z from 'zod';
import { listIssues, parseWith } from '../tools/declaration/input-schema.js';
import type { RunOptions } from '../invocation/run-options.js';
import type { MessagesInput } from '../messages/message.js';
import type { AgentRun } from '../session/agent-run.js';
import { RunFailedError } from '../session/errors.js';
import type { InvokeResponse } from '../session/invoke-response.js';
import { defineModelTool, nameOfSchema } from '../tools/declaration/model-tool.js';
import { requireObjectSchema } from '../tools/declaration/require-schema.js';
import type { ToolRegistry } from '../tools/registry.js';
import { parseReadings } from '../tools/execution/parse-readings.js';
import { createTool, type Tool } from '../tools/declaration/tool.js';
import type { ReadResponses, RunStarter } from './run-starter.js';

/** Runs whose `result` is typed by a schema. */
export interface StructuredOutput<Result> {
  /** Runs to the end. Rejects if `result` does not match the schema. */
  invoke(messages: MessagesInput, options?: RunOptions): Promise<InvokeResponse<Result>>;
  /** Creates a run that can be iterated over for its events. */
  stream(messages: MessagesInput, options?: RunOptions): AgentRun<Result>;
}

/** Returns the structured runs of a scope with these tools. */
export function structuredRuns<Schema extends z.ZodObject>(
  schema: Schema,
  registry: ToolRegistry,
  starter: Pick<RunStarter, 'create'>,
): StructuredOutput<z.output<Schema>> {
  const read = readStructured(requireObjectSchema(schema, 'The schema of structuredOutput'));
  const create = (messages: MessagesInput, options: RunOptions, deliveryMode: 'invoke' | 'stream') => {
    const structuredOutput = structuredTool(schema, registry);
    return starter.create({ messages, options, deliveryMode, structuredOutput, read });
  };
  return {
    invoke: async (messages, options = {}) => create(messages, options, 'invoke').response,
    stream: (messages, options = {}) => create(messages, options, 'stream'),
  };
}

/** Returns the final tool of a structured run: the scope's own tool with that schema, or one created for the run. */
function structuredTool(schema: z.ZodObject, registry: ToolRegistry): Tool {
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
    // The answer is parsed when the run has ended; parsing it here too would apply transforms twice.
    parseInput: async (args, injected) => {
      const parsed = await tool.parseInput(args, injected);
      return parsed.ok ? { ok: true, value: pick({ ...tool.defaultArgs, ...args }, parsed.value) } : parsed;
    },
  });
}

/** Keeps the arguments that the schema knows; its defaults are applied when the run has ended. */
function pick(args: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(known, name)));
}

/** Parses the result of a response with the schema. The error names the places that do not match. */
function readStructured<Schema extends z.ZodObject>(
  schema: Schema,
): (responses: ReadResponses) => Promise<InvokeResponse<z.output<Schema>>> {
  return async (responses) => {
    const [response] = responses;
    const results = responses.map(({ result }) => result);
    const parsed = await parseReadings(results, async (result) => parseWith(schema, result));
    if (parsed.ok) return { ...response, result: parsed.value };
    const { issues } = parsed;
    const problem =
      response.result === null
        ? 'The run ended without a result for the schema. Its response may say why.'
        : `The result does not match the schema: ${listIssues(issues, '(result)')}.`;
    // Only the response contains the answer: it may include values of redacted messages.
    throw new RunFailedError(problem, {
      code: 'RUN_RESULT_INVALID',
      response,
      details: { issues },
    });
  };
}
