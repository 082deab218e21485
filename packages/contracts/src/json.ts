/** Any value that JSON can carry. */
export type JsonValue = JsonPrimitive | JsonObject | readonly JsonValue[];

/** A value that JSON writes without brackets. */
export type JsonPrimitive = string | number | boolean | null;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
