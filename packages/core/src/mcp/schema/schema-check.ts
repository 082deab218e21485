import type { JsonObject, JsonValue } from '@svc/contracts';
import type { Logger } from '../../logging/logger.js';
import { hasBoundedReferences, isList, MAP_KEYWORDS, VALUE_KEYWORDS } from './follow-references.js';

/** Validates a value; resolves to undefined for a valid one, otherwise to what is wrong with it. */
export type SchemaCheck = (value: unknown) => Promise<string | undefined>;

/**
 * Keywords that untrusted schemas may not use here: patterns, comparisons of all items with one another, and references to
 * other schemas. The server itself validates those. Plain values are not validated against.
 */
const IGNORED_KEYWORDS: ReadonlySet<string> = new Set([
  '$id',
  'id',
  '$schema',
  'pattern',
  'patternProperties',
  'format',
  'uniqueItems',
  'default',
  'examples',
]);

/**
 * Creates a check by a server's JSON Schema, compiled on first use. A schema that cannot be compiled accepts
 * everything.
 */
export function createSchemaCheck(schema: JsonObject, about: { tool: string; logger: Logger }): SchemaCheck {
  let compiled: Promise<(value: unknown) => string | undefined> | undefined;
  const compile = async () => {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
    try {
      const used = withoutIgnored(schema);
      if (!hasBoundedReferences(used))
        throw new RangeError('Its references cannot be followed in bounded time.');
      const validate = new AjvJsonSchemaValidator().getValidator(used);
      return (value: unknown) => validate(value).errorMessage;
    } catch (error) {
      about.logger.warn(
        'A tool of an MCP server has a schema that cannot be used; values are not validated.',
        {
          tool: about.tool,
          error,
        },
      );
      return () => undefined;
    }
  };
  return async (value) => (await (compiled ??= compile()))(value);
}

function withoutIgnored(schema: JsonObject, isSchema = true): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([key, value]) => !isSchema || !(IGNORED_KEYWORDS.has(key) || (key === '$ref' && !isToSchema(value))),
      )
      .map(([key, value]) => [
        key,
        isSchema && VALUE_KEYWORDS.has(key) ? value : clean(value, !isSchema || !MAP_KEYWORDS.has(key)),
      ]),
  );
}

/** Whether a reference is to a schema within this schema, and not to a plain value or a name. */
function isToSchema(reference: JsonValue): boolean {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || reference.includes('%')) return false;
  let isMap = false;
  for (const step of reference.split('/').slice(1)) {
    if (!isMap && VALUE_KEYWORDS.has(step)) return false;
    isMap = !isMap && MAP_KEYWORDS.has(step);
  }
  return !isMap;
}

function clean(value: JsonValue, isSchema: boolean): JsonValue {
  if (isList(value)) return value.map((item) => clean(item, isSchema));
  return typeof value === 'object' && value !== null ? withoutIgnored(value, isSchema) : value;
}
