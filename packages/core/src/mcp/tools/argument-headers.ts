import type { Client } from '@modelcontextprotocol/client';
import { isRecord } from '../../is-record.js';
import type { ServerConfig } from '../server-options.js';

/** An argument that a server wants to see in a header as well. */
export interface ArgumentHeader {
  readonly name: string;
  /** The names that lead to the argument. */
  readonly path: readonly string[];
}

const DECLARATION = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** What a header can carry as it is; everything else is encoded. */
const PLAIN = /^(?![\t ])[\t\u0020-\u007e]+(?<![\t ])$/;
/** What looks encoded; its two marks may share a character. */
const ENCODED = /^=\?base64\?(?:.*\?)?=$/s;

/** How deep an argument may lie; longer paths to every place of a large schema would fill the memory. */
const MAX_DEPTH = 64;

/** The keywords of JSON Schema for further schemas: one or a list, or by name. */
const LIST_SCHEMAS = ['items', 'prefixItems', 'contains', 'unevaluatedItems'];
const OBJECT_SCHEMAS = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'];
const LOGIC_SCHEMAS = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];
const SCHEMAS = [...LIST_SCHEMAS, ...OBJECT_SCHEMAS, ...LOGIC_SCHEMAS];
const NAMED_SCHEMAS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

interface Place {
  readonly schema: unknown;
  /** Undefined where an argument cannot be found by names alone, or only by too many. */
  readonly path: readonly string[] | undefined;
}

/** Whether a server can want arguments in headers: over HTTP, and without sessions. */
export function usesArgumentHeaders(client: Client, config: ServerConfig): boolean {
  return 'url' in config && client.getProtocolEra() === 'modern';
}

/**
 * Finds the arguments that a tool's server wants to see in headers (`x-mcp-header`, since version 2026-07-28). Returns
 * undefined if a declaration is invalid: the protocol forbids such a tool.
 */
export function findArgumentHeaders(inputSchema: unknown): readonly ArgumentHeader[] | undefined {
  const found = new Map<string, ArgumentHeader>();
  // A server's schema may be nested more deeply than a function can call itself.
  const places: Place[] = [{ schema: inputSchema, path: [] }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { schema, path } = place;
    if (!isRecord(schema)) continue;
    if (DECLARATION in schema) {
      const name = schema[DECLARATION];
      const isValid = typeof name === 'string' && TOKEN.test(name) && TYPES.has(schema['type']);
      if (!isValid || !path?.length || found.has(name.toLowerCase())) return undefined;
      found.set(name.toLowerCase(), { name, path });
    }
    // One by one: a wide schema has more places than a call can have arguments.
    for (const inner of placesIn(schema, path)) places.push(inner);
  }
  return [...found.values()];
}

function placesIn(schema: Readonly<Record<string, unknown>>, path: Place['path']): Place[] {
  const named = (keyword: string) => (isRecord(schema[keyword]) ? Object.entries(schema[keyword]) : []);
  const elsewhere = [
    ...SCHEMAS.flatMap((keyword) => schema[keyword]),
    ...NAMED_SCHEMAS.flatMap((keyword) => named(keyword).map(([, child]) => child)),
  ];
  return [
    ...named('properties').map(([name, child]) => ({
      schema: child,
      path: path && path.length < MAX_DEPTH ? [...path, name] : undefined,
    })),
    ...elsewhere.map((child) => ({ schema: child, path: undefined })),
  ];
}

/** Returns the headers of a call; one whose argument is absent or no single value is left out. */
export function writeArgumentHeaders(
  headers: readonly ArgumentHeader[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const written = headers.flatMap(({ name, path }) => {
    const value = path.reduce((node: unknown, key) => (isRecord(node) ? node[key] : undefined), args);
    const isSingle = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
    return isSingle ? [[`Mcp-Param-${name}`, encode(String(value))]] : [];
  });
  return Object.fromEntries(written);
}

function encode(value: string): string {
  if (PLAIN.test(value) && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
