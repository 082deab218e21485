/** Any JSON value. */
export type JsonValue = JsonPrimitive | JsonObject | readonly JsonValue[];

/** A JSON string, number, boolean or null. */
export type JsonPrimitive = string | number | boolean | null;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
