/** An object received over the wire. */
export type Data = Readonly<Record<string, unknown>>;

/** Returns the value if it is a non-empty string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

/** Returns the value if it is an object and not an array. */
export function object(value: unknown): Data | undefined {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Data) : undefined;
}
