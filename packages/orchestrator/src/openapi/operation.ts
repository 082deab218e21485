import type * as z from 'zod';
import type { RequestErrorCode } from '../errors.js';
import type { Access } from '../keys/key-operation.js';

/** One operation of the HTTP interface. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** Who may call it, as the route says too. */
  readonly access: Access;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: {
    readonly name: string;
    readonly schema: z.ZodType;
    /** Whether it may be left out. @default false */
    readonly isOptional?: boolean;
  };
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors: readonly RequestErrorCode[];
}

/** One answer of an operation: data by its schema, or something else by its media type. */
export interface Answer {
  readonly description: string;
  readonly data?: { readonly name: string; readonly schema: z.ZodType };
  readonly mediaType?: string;
}

/** What may be wrong with every body. */
export const bodyErrors = [
  'INVALID_JSON',
  'INVALID_REQUEST',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

/** An answer of data. */
export const data = (name: string, schema: z.ZodType, description: string): Answer => ({
  description,
  data: { name, schema },
});
