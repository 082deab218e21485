/** The event contract, version 1. It is the newest version, so the package root exports it too. */
export * from './event-names.js';
export type { JsonObject, JsonPrimitive, JsonValue } from './json.js';
export * from './schemas.js';
