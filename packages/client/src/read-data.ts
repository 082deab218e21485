/** Data as it came over the wire. */
export type Data = Readonly<Record<string, unknown>>;

/** The value as a text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

/** The value as a plain object. */
export function object(value: unknown): Data | undefined {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Data) : undefined;
}
