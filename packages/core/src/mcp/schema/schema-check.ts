import type { JsonObject, JsonValue } from '@svc/contracts';
import type { Logger } from '../../logging/logger.js';
import { hasBoundedReferences, HOLDERS, isList, VALUES } from './follow-references.js';

/** Checks a value; undefined when it fits, else what is wrong with it. */
export type SchemaCheck = (value: unknown) => Promise<string | undefined>;

/**
 * What schemas of strangers may not do here: run their patterns, compare all items with one another, or refer to other
 * schemas. The server itself checks those. Nothing is checked against the plain values.
 */
const IGNORED: ReadonlySet<string> = new Set([
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

/** A check by a server's JSON Schema, compiled when it is first needed. A schema that cannot be compiled checks nothing. */
export function createSchemaCheck(schema: JsonObject, about: { tool: string; logger: Logger }): SchemaCheck {
  let compiled: Promise<(value: unknown) => string | undefined> | undefined;
  const compile = async () => {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
    try {
      const used = withoutIgnored(schema);
      if (!hasBoundedReferences(used)) throw new RangeError('Its references lead on and on.');
      const validate = new AjvJsonSchemaValidator().getValidator(used);
      return (value: unknown) => validate(value).errorMessage;
    } catch (error) {
      about.logger.warn('A tool of an MCP server has a schema that cannot be used.', {
        tool: about.tool,
        error,
      });
      return () => undefined;
    }
  };
  return async (value) => (await (compiled ??= compile()))(value);
}

function withoutIgnored(schema: JsonObject, isSchema = true): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isSchema || !(IGNORED.has(key) || (key === '$ref' && !isToSchema(value))))
      .map(([key, value]) => [
        key,
        isSchema && VALUES.has(key) ? value : clean(value, !isSchema || !HOLDERS.has(key)),
      ]),
  );
}

/** Whether a reference is to a place of this schema that was cleaned as a schema. Plain values and names were not. */
function isToSchema(reference: JsonValue): boolean {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || reference.includes('%')) return false;
  let isHolder = false;
  for (const step of reference.split('/').slice(1)) {
    if (!isHolder && VALUES.has(step)) return false;
    isHolder = !isHolder && HOLDERS.has(step);
  }
  return !isHolder;
}

function clean(value: JsonValue, isSchema: boolean): JsonValue {
  if (isList(value)) return value.map((item) => clean(item, isSchema));
  return typeof value === 'object' && value !== null ? withoutIgnored(value, isSchema) : value;
}
