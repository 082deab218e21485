import type { JsonObject, JsonValue } from '@svc/contracts';

/** The maximum number of schemas that are visited to follow all references; a schema that needs more is not used. */
const MAX_STEPS = 10_000;

/** Keywords whose fields are names, not keywords. */
export const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that contain plain values. */
export const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum']);

/** Keywords whose schemas apply only where something refers to them. */
const DEFINITION_KEYWORDS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** A path from a value to a nested one: names of fields, each after a dot, and wildcards for any field or array item. */
type Path = readonly string[];

const ANY_FIELD = '*';
const ANY_ITEM = '[]';

/** Keywords that apply to nested values, but not to one with a certain name. */
const NESTED_STEPS: ReadonlyMap<string, string> = new Map([
  ['items', ANY_ITEM],
  ['prefixItems', ANY_ITEM],
  ['additionalItems', ANY_ITEM],
  ['unevaluatedItems', ANY_ITEM],
  ['contains', ANY_ITEM],
  ['additionalProperties', ANY_FIELD],
  ['unevaluatedProperties', ANY_FIELD],
  ['propertyNames', ANY_FIELD],
]);

/** The maximum number of compared path steps; a schema that needs more is not used. */
const MAX_COMPARED = 1_000_000;

/** A schema that is being followed, the depth at which that began, and the paths that led back to it. */
interface Followed {
  readonly schema: JsonValue;
  readonly depth: number;
  readonly returns: Path[];
}

/**
 * Whether validation with a schema and its references takes bounded time. Definitions that each refer to the next one twice
 * double the work each time; one that refers to itself twice doubles it with each level of a value, unless the references
 * are for fields with different names, as in a tree.
 */
export function hasBoundedReferences(root: JsonObject): boolean {
  const followed: Followed[] = [{ schema: root, depth: 0, returns: [] }];
  let steps = 0;
  let compared = 0;

  const isBounded = (value: JsonValue, path: Path): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    steps += 1;
    if (steps > MAX_STEPS) return false;
    if (isList(value)) return value.every((item) => isBounded(item, path));
    const checked = Object.entries(value).filter(
      ([key]) => !VALUE_KEYWORDS.has(key) && !DEFINITION_KEYWORDS.has(key),
    );
    return (
      checked.every(([key, inner]) => areBounded(key, inner, path)) && isReferenceBounded(value['$ref'], path)
    );
  };

  const areBounded = (key: string, inner: JsonValue, path: Path): boolean => {
    const step = NESTED_STEPS.get(key);
    if (!MAP_KEYWORDS.has(key)) return isBounded(inner, step === undefined ? path : [...path, step]);
    if (typeof inner !== 'object' || inner === null) return true;
    const named = key === 'properties' ? (name: string) => [...path, `.${name}`] : () => path;
    return Object.entries(inner).every(([name, schema]) => isBounded(schema, named(name)));
  };

  const isReferenceBounded = (reference: JsonValue | undefined, path: Path): boolean => {
    if (typeof reference !== 'string') return true;
    const schema = resolve(root, reference);
    const known = followed.findLastIndex((each) => each.schema === schema);
    const inside = known < 0 ? [] : followed.slice(known);
    // A reference back to the same schema for the same value never ends.
    if (inside[0]?.depth === path.length) return false;
    if (inside.length > 0) return inside.every((each) => addReturn(each, path.slice(each.depth)));
    followed.push({ schema, depth: path.length, returns: [] });
    const bounded = isBounded(schema, path);
    followed.pop();
    return bounded;
  };

  /** Adds a path back; false if it leads to a value that another path leads to as well. */
  const addReturn = ({ returns }: Followed, path: Path): boolean => {
    compared += path.length;
    if (returns.some((each) => compared > MAX_COMPARED || mayOverlap(each, path))) return false;
    returns.push(path);
    return true;
  };

  /** Whether one path may be a prefix of the other. */
  const mayOverlap = (one: Path, other: Path): boolean =>
    one.every((step, index) => {
      compared += 1;
      const second = other[index];
      return second === undefined || mayBeSame(step, second);
    });

  return isBounded(root, []);
}

/** Whether two steps may lead to the same value; no value has both fields and items. */
function mayBeSame(one: string, other: string): boolean {
  if (one === other) return true;
  return one === ANY_FIELD ? other !== ANY_ITEM : other === ANY_FIELD && one !== ANY_ITEM;
}

/** Resolves a reference within a schema; null if it leads nowhere. */
function resolve(root: JsonObject, reference: string): JsonValue {
  let found: JsonValue = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
    found = (found as JsonObject)[key] ?? null;
  }
  return found;
}

/** Whether a JSON value is an array. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
