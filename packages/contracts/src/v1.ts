/** The event contract, version 1: the newest one, so it is what the package itself gives too. */
export * from './event-names.js';
export type { JsonObject, JsonPrimitive, JsonValue } from './json.js';
export * from './schemas.js';
