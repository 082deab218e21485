import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject } from '../../json-object.js';

const refusedKeywords = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'];

const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const requiredOf = ({ required }: JsonObject): readonly JsonValue[] =>
  isJsonArray(required) ? required : [];

/** The properties of alternatives by name. One that they describe differently may have any of these forms. */
function mergedProperties(parts: readonly JsonObject[]): JsonObject {
  const forms = new Map<string, Map<string, JsonValue>>();
  for (const [name, form] of parts.flatMap((part) => Object.entries(propertiesOf(part)))) {
    const known = forms.get(name) ?? new Map<string, JsonValue>();
    forms.set(name, known.set(JSON.stringify(form), form));
  }
  return Object.fromEntries(
    [...forms].map(([name, known]): [string, JsonValue] => {
      const [first = {}, ...others] = known.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/**
 * The schema of a tool's arguments as services accept it: OpenAI and Anthropic refuse a whole request when one tool has
 * alternatives at the top level, as those of MCP servers may. All their properties are shown instead; calls are checked
 * against the full schema.
 */
export function rootSchema(schema: JsonObject): JsonObject {
  if (!refusedKeywords.some((key) => Object.hasOwn(schema, key))) return schema;
  const kept = Object.entries(schema).filter(([key]) => !refusedKeywords.includes(key));
  const all = schemasIn(schema['allOf']);
  const parts = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf']), ...all];
  const properties = [...Object.entries(mergedProperties(parts)), ...Object.entries(propertiesOf(schema))];
  const required = new Set([schema, ...all].flatMap(requiredOf));
  return {
    ...Object.fromEntries(kept),
    properties: Object.fromEntries(properties),
    required: [...required],
  };
}
