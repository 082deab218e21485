import * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import { messageOf } from '../../message-of.js';
import { declarationError } from '../declaration-error.js';
import { describeIssue } from './describe-issue.js';
import { requireObjectSchema, requireSchema } from './require-schema.js';
import type { InputIssue, Parsed } from './tool.js';

/** A JSON object. */
export const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** The metadata of schemas without their ids, which would become references that planners have to follow. */
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

/**
 * Converts a zod schema to the JSON Schema that the planner sees. The error for a type that JSON does not have names
 * the place.
 */
export function describeInput(schema: z.ZodObject, owner: string): JsonObject {
  return describe(requireObjectSchema(schema, `The input of ${owner}`), 'input', owner);
}

/** Converts the schema of a tool's result to JSON Schema. */
export function describeOutput(schema: z.ZodType, owner: string): JsonObject {
  return describe(requireSchema(schema, `The output of ${owner}`), 'output', owner);
}

function describe(schema: z.ZodType, io: 'input' | 'output', owner: string): JsonObject {
  try {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
      io,
      metadata: descriptions,
      unrepresentable: ({ zodSchema, path, message }) => {
        if (io === 'output' || zodSchema._zod.def.type === 'transform') return 'any';
        throw new TypeError(`${message} (at ${path.join('.') || 'the top'})`);
      },
      override({ zodSchema, path }) {
        // zod represents a file as a string, which it is not.
        if (io === 'input' && zodSchema._zod.def.type === 'file')
          throw new TypeError(
            `Files cannot be represented in JSON Schema (at ${path.join('.') || 'the top'})`,
          );
      },
    });
    return JsonObjectSchema.parse(json);
  } catch (cause) {
    throw declarationError(
      'TOOL_UNREPRESENTABLE_SCHEMA',
      `The ${io} of ${owner} cannot be represented in JSON Schema: ${messageOf(cause).replace(/\.$/, '')}. Use types, defaults and examples that JSON has, such as z.iso.datetime() for a date.`,
      { owner },
      cause,
    );
  }
}

/** Validates a value; issues name places and rules, never the value. */
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

/** Joins issues into one text; `whole` names the value itself. */
export function listIssues(issues: readonly InputIssue[], whole: string): string {
  return issues.map(({ path, problem }) => `${path || whole} ${problem}`).join('; ');
}
