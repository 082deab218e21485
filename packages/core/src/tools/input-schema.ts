import * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import { declarationError } from './declaration-error.js';
import { describeIssue } from './describe-issue.js';
import type { InputIssue, Parsed } from './tool.js';

/** An object of JSON. */
export const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** What schemas say of themselves but their ids, which would turn them into references that planners have to follow. */
class Descriptions extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<Schema extends z.core.$ZodType>(
    schema: Schema,
  ): z.core.$replace<z.core.GlobalMeta, Schema> | undefined {
    const meta = z.globalRegistry.get(schema);
    return meta && { ...meta, id: undefined };
  }

  override has(schema: z.core.$ZodType): boolean {
    return z.globalRegistry.has(schema);
  }
}

const descriptions = new Descriptions();

/** A zod schema as the JSON Schema that the planner sees. What JSON cannot carry is an error that names the place. */
export function describeInput(schema: z.ZodType, owner: string): JsonObject {
  return describe(schema, 'input', owner);
}

/** The JSON Schema of what a tool returns. */
export function describeOutput(schema: z.ZodType, owner: string): JsonObject {
  return describe(schema, 'output', owner);
}

/** Refuses what is no schema of zod 4, such as JSON Schema; an input has to be an object. */
function refuseForeignSchema(schema: unknown, io: 'input' | 'output', owner: string): void {
  if (schema instanceof (io === 'input' ? z.core.$ZodObject : z.core.$ZodType)) return;
  const needed = io === 'input' ? 'an object schema of zod 4, such as z.object({...})' : 'a schema of zod 4';
  throw declarationError('TOOL_INVALID_SCHEMA', `The ${io} of ${owner} must be ${needed}.`, { owner });
}

function describe(schema: z.ZodType, io: 'input' | 'output', owner: string): JsonObject {
  refuseForeignSchema(schema, io, owner);
  try {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
      io,
      metadata: descriptions,
      unrepresentable: ({ zodSchema, path, message }) => {
        if (io === 'output' || zodSchema._zod.def.type === 'transform') return 'any';
        throw new TypeError(`${message} (at ${path.join('.') || 'the top'})`);
      },
      override({ zodSchema, path }) {
        // zod writes a file as a text, which no file is.
        if (io === 'input' && zodSchema._zod.def.type === 'file')
          throw new TypeError(
            `Files cannot be represented in JSON Schema (at ${path.join('.') || 'the top'})`,
          );
      },
    });
    return JsonObjectSchema.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw declarationError(
      'TOOL_UNREPRESENTABLE_SCHEMA',
      `The ${io} of ${owner} cannot be written as JSON Schema: ${why}. Use a type that JSON has, such as z.iso.datetime() for a date.`,
      { owner },
      cause,
    );
  }
}

/** Checks a value; problems name places and rules, never the value. */
export async function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Promise<Parsed<z.output<Schema>>> {
  const parsed = await schema.safeParseAsync(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: parsed.error.issues.map(readIssue) };
}

function readIssue(issue: z.core.$ZodIssue): InputIssue {
  return { path: issue.path.map(String).join('.'), problem: describeIssue(issue) };
}

/** Problems as one text; `whole` names the value itself. */
export function listIssues(issues: readonly InputIssue[], whole: string): string {
  return issues.map(({ path, problem }) => `${path || whole} ${problem}`).join('; ');
}
