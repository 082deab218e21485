/** Why a value cannot be serialized as JSON. */
export const NO_JSON = 'cannot be serialized as JSON: it contains a BigInt or a reference to itself';

/** Whether a value can be serialized as JSON: JSON can represent it, and it contains no BigInt or circular reference. */
export function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // JSON.stringify throws for a value that it cannot serialize.
    return false;
  }
}
