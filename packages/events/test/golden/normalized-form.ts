/** The defaults that the original's models fill into descriptors. */
const descriptorDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tool: { args: {} },
  interrupt: { choices: [] },
  error_info: { details: {} },
};

/**
 * Returns an event in the form in which it is compared. The recorded events are full dumps of typed models, in which
 * every absent field of a descriptor is null. Absent and null mean the same, so nulls at the top level and in descriptors
 * are dropped, and declared defaults (`tool.args`, `interrupt.choices`, `error_info.details`) are filled in. Values inside
 * arguments, results and other free fields stay unchanged.
 */
export function comparable(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event;
  const fields = Object.entries(event).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    fields.map(([key, value]) => [key, isDescriptor(key) ? withoutNulls(key, value) : value]),
  );
}

const descriptors = new Set([
  'scope',
  'participant',
  'lifecycle',
  'tool',
  'assistant',
  'assignment',
  'enrichment',
  'interrupt',
  'output',
  'error_info',
  'session',
  'chunk',
  'hook',
]);
const isDescriptor = (key: string) => descriptors.has(key);

function withoutNulls(key: string, descriptor: unknown): unknown {
  if (typeof descriptor !== 'object' || descriptor === null || Array.isArray(descriptor)) return descriptor;
  const fields = Object.entries(descriptor).filter(([, value]) => value !== null && value !== undefined);
  return { ...descriptorDefaults[key], ...Object.fromEntries(fields) };
}
