import * as z from 'zod';
import { declarationError } from '../declaration-error.js';

/** Whether a value is an object schema of zod 4. One of zod/mini is not: it lacks methods such as `meta()`. */
export function isObjectSchema(value: unknown): value is z.ZodObject {
  return value instanceof z.ZodObject;
}

/** Refuses anything but a schema of zod 4, such as JSON Schema or a schema of zod/mini. */
export function requireSchema<Schema extends z.ZodType>(schema: Schema, owner: string): Schema {
  if (schema instanceof z.ZodType) return schema;
  throw invalidSchema(owner, 'a zod 4 schema');
}

/** Refuses anything but an object schema of zod 4. */
export function requireObjectSchema<Schema extends z.ZodObject>(schema: Schema, owner: string): Schema {
  if (isObjectSchema(schema)) return schema;
  throw invalidSchema(owner, 'a zod 4 object schema, such as z.object({...})');
}

function invalidSchema(owner: string, needed: string): Error {
  return declarationError('TOOL_INVALID_SCHEMA', `${owner} must be ${needed}, not of zod/mini.`, { owner });
}
