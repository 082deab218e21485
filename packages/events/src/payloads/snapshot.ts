/**
 * Copies a caller's value, so that later changes to it have no effect. Plain objects and arrays are copied at every depth;
 * other objects (dates, class instances, arrays with a `toJSON`) define their own JSON and are kept. A circular value
 * stays circular, so that serializing it reports that.
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

/** Every key is already the copy's own, so writing `__proto__` replaces a field, not the prototype. */
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
