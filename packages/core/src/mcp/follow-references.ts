import type { JsonObject, JsonValue } from '@svc/contracts';

/** Schemas that are looked at to follow every reference; a schema that takes more is not used. */
const MOST_STEPS = 10_000;

/** Keywords whose fields are names, not keywords. */
export const HOLDERS: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that hold plain values. */
export const VALUES: ReadonlySet<string> = new Set(['const', 'enum']);

/** What is checked only where something refers to it. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** A schema that is being followed, and how often it was come back to from inside. */
interface Followed {
  readonly schema: JsonValue;
  returns: number;
}

/**
 * Whether the references of a schema can be followed in a time that is bounded. Definitions that refer to the next one
 * twice double the work with each of them; one that refers to itself twice does with each level of a value.
 */
export function hasBoundedReferences(root: JsonObject): boolean {
  const followed: Followed[] = [{ schema: root, returns: 0 }];
  let steps = 0;

  const isBounded = (value: JsonValue, isSchema: boolean): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    steps += 1;
    if (steps > MOST_STEPS) return false;
    if (isList(value)) return value.every((item) => isBounded(item, isSchema));
    if (!isSchema) return Object.values(value).every((inner) => isBounded(inner, true));
    const checked = Object.entries(value).filter(([key]) => !VALUES.has(key) && !DEFINITIONS.has(key));
    return checked.every(([key, inner]) => isBounded(inner, !HOLDERS.has(key))) && leads(value['$ref']);
  };

  const leads = (reference: JsonValue | undefined): boolean => {
    if (typeof reference !== 'string') return true;
    const schema = find(root, reference);
    const known = followed.findLastIndex((each) => each.schema === schema);
    if (known >= 0) {
      const inside = followed.slice(known);
      for (const each of inside) each.returns += 1;
      return inside.every(({ returns }) => returns < 2);
    }
    followed.push({ schema, returns: 0 });
    const bounded = isBounded(schema, true);
    followed.pop();
    return bounded;
  };

  return isBounded(root, true);
}

/** What a reference within a schema leads to; null if that is nothing. */
function find(root: JsonObject, reference: string): JsonValue {
  let found: JsonValue = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
    found = (found as JsonObject)[key] ?? null;
  }
  return found;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
