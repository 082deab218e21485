import { DependencyMarkerSchema, type DependencyMarker } from '@svc/contracts/orchestrator';
import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject, textOf } from '../../json-object.js';

/** Finds the schema of a model that was declared as a separate tool, by tool id or name. */
export type ModelLookup = (idOrName: string) => JsonObject | undefined;

/** The dependency marker in place of a schema, if there is one. */
export function readMarker(value: JsonValue | undefined): DependencyMarker | undefined {
  if (!isJsonObject(value) || !textOf(value['type'])?.endsWith('_dependency')) return undefined;
  return DependencyMarkerSchema.safeParse(value).data;
}

const maxDepth = 12;

/** Keywords whose value is data, not a schema. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);
/** Keywords whose value is a map from a name to a schema. */
const mapKeywords = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
/** Keywords only for the client. */
const droppedKeywords = new Set([
  'compose_artifact_policy',
  'return_type',
  'tool_id',
  'tool_type',
  '$schema',
  '$id',
]);

const refName = (ref: string) => /^#\/(?:\$defs|definitions)\/(.+)$/.exec(ref)?.[1];

const isKnownRef = (root: JsonObject, ref: string): boolean => {
  if (ref === '#') return true;
  const name = refName(ref);
  if (name === undefined) return false;
  return ['$defs', 'definitions'].some((key) => {
    const definitions = root[key];
    return isJsonObject(definitions) && Object.hasOwn(definitions, name);
  });
};

/**
 * A schema as a model should see it: flattened models are inlined, dangling references and markers of values from
 * elsewhere become "anything", client-only keywords are removed.
 */
export function modelSchema(schema: JsonObject, lookup: ModelLookup): JsonObject {
  const convertSchema = (value: JsonObject, root: JsonObject, depth: number): JsonObject => {
    if (depth > maxDepth) return {};
    const marker = readMarker(value);
    if (marker?.type === 'tool_dependency') {
      const model = lookup(marker.tool_id) ?? lookup(marker.tool_name ?? '');
      return model ? convertSchema(model, model, depth + 1) : describedAnything(value);
    }
    if (marker) return describedAnything(value);
    const ref = textOf(value['$ref']);
    if (ref !== undefined && !isKnownRef(root, ref)) {
      const model = lookup(refName(ref) ?? ref);
      return model ? convertSchema(model, model, depth + 1) : describedAnything(value);
    }
    const kept = Object.entries(value).filter(([key]) => !droppedKeywords.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, convertKeyword(key, inner, root, depth)]));
  };
  const convertKeyword = (key: string, value: JsonValue, root: JsonObject, depth: number): JsonValue => {
    if (dataKeywords.has(key)) return value;
    if (mapKeywords.has(key) && isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          isJsonObject(each) ? convertSchema(each, root, depth + 1) : each,
        ]),
      );
    if (isJsonObject(value)) return convertSchema(value, root, depth + 1);
    if (Array.isArray(value))
      return value.map((each) => (isJsonObject(each) ? convertSchema(each, root, depth + 1) : each));
    return value;
  };
  return convertSchema(schema, schema, 0);
}

function describedAnything(value: JsonObject): JsonObject {
  const description = textOf(value['description']);
  return description ? { description } : {};
}
