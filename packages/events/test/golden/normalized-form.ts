/** Named fields of an event; the recorded dumps write them all, null where absent. */
const descriptorDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tool: { args: {} },
  interrupt: { choices: [] },
  error_info: { details: {} },
};

/**
 * The recorded events are full dumps of typed models: every declared field of a descriptor is there, null when
 * absent. Absent and null mean the same, so both sides are compared without nulls at the top and in descriptors;
 * declared defaults (`tool.args`, `interrupt.choices`, `error_info.details`) are filled in ours. Values inside
 * arguments, results and other free fields are compared as they are.
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
