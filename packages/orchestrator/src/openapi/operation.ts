import type { JsonObject } from '@svc/contracts';
import type * as z from 'zod';
import type { RequestErrorCode } from '../errors.js';
import type { Access } from '../keys/key-operation.js';

/** One operation of the HTTP API. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** Who may call it; must match the route. */
  readonly access: Access;
  readonly query?: Query;
  /** Optional request headers by name, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: {
    readonly name: string;
    readonly schema: z.ZodType;
    /** Whether it may be left out. @default false */
    readonly isOptional?: boolean;
  };
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors: readonly RequestErrorCode[];
}

/** Query parameters by name: a description, and a JSON Schema unless it is a plain string. */
export type Query = Readonly<
  Record<string, string | { readonly description: string; readonly schema: JsonObject }>
>;

/** One response of an operation: data with its schema, or other content with its media type. */
export interface Answer {
  readonly description: string;
  readonly data?: { readonly name: string; readonly schema: z.ZodType };
  readonly mediaType?: string;
}

/** The errors of every operation with a body. */
export const bodyErrors = [
  'INVALID_JSON',
  'INVALID_REQUEST',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

/** A query parameter with one of these values. */
export const choice = ({ options }: z.ZodEnum): Query[string] => ({
  description: 'Returns only items with this value.',
  schema: { type: 'string', enum: options },
});

/** The page size of a list. */
export const pageLimit: Query[string] = {
  description: 'Maximum number of items to return.',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
};

/** A response with JSON data. */
export const data = (name: string, schema: z.ZodType, description: string): Answer => ({
  description,
  data: { name, schema },
});
