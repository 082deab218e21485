/**
 * A copy of a caller's value that later changes to it do not reach. Plain objects and lists are copied at every
 * depth; other objects (dates, class instances, lists with a `toJSON`) have their own way of becoming JSON and are
 * kept. A value that contains itself keeps its loop, so that whoever serializes it can say so.
 */
export function snapshotOf<Value>(value: Value): Value;
export function snapshotOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? copyOf(value, []) : value;
}

function copyOf(value: object, ancestors: object[]): object {
  if (ancestors.includes(value)) return value;
  if (Array.isArray(value)) return 'toJSON' in value ? value : copyList(value, ancestors);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? copyFields(value, ancestors) : value;
}

function copyList(list: readonly unknown[], ancestors: object[]): unknown[] {
  ancestors.push(list);
  const copy = list.map((entry) =>
    typeof entry === 'object' && entry !== null ? copyOf(entry, ancestors) : entry,
  );
  ancestors.pop();
  return copy;
}

/** Every key is the copy's own already, so that writing `__proto__` replaces a field and not the prototype. */
function copyFields(fields: object, ancestors: object[]): object {
  ancestors.push(fields);
  const copy: Record<string, unknown> = { ...fields };
  for (const key of Object.keys(copy)) {
    const field = copy[key];
    if (typeof field === 'object' && field !== null) copy[key] = copyOf(field, ancestors);
  }
  ancestors.pop();
  return copy;
}
