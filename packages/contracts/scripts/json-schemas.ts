import * as z from 'zod';
import { AppEventSchema } from '../src/app-event.js';
import * as descriptors from '../src/descriptors.js';
import { EventEnvelopeSchema } from '../src/envelope.js';
import { FAMILY_PAYLOAD_SCHEMAS } from '../src/families.js';
import { RawSSEEventSchema } from '../src/raw-event.js';
import { APP_EVENT_CONTRACT_VERSION } from '../src/version.js';

type Json = { [key: string]: unknown };

const fileName = (name: string) => `${name.replaceAll('_', '-')}.json`;

/**
 * Returns the contract as JSON Schemas, by file name. They describe what a well-formed producer writes: an unknown value
 * of a descriptor, which the zod schemas keep, is invalid here.
 */
export function jsonSchemas(): Record<string, Json> {
  nameDescriptors();
  const models = {
    app_event: AppEventSchema,
    event_envelope: EventEnvelopeSchema,
    raw_sse_event: RawSSEEventSchema,
  };
  const names = (schemas: object) =>
    Object.fromEntries(Object.keys(schemas).map((name) => [name, fileName(name)]));
  const index = {
    contract_version: APP_EVENT_CONTRACT_VERSION,
    models: names(models),
    families: names(FAMILY_PAYLOAD_SCHEMAS),
  };
  const files = Object.entries({ ...models, ...FAMILY_PAYLOAD_SCHEMAS }).map(([name, schema]) => [
    fileName(name),
    { title: name, ...toJsonSchema(schema) },
  ]);
  return { 'index.json': index, ...Object.fromEntries(files) };
}

/** Gives the descriptors ids, so that each becomes a definition with its own name. */
function nameDescriptors() {
  for (const [name, schema] of Object.entries(descriptors)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name.replace(/Schema$/, '') });
  }
}

function toJsonSchema(schema: z.ZodType): Json {
  // The writer of a raw event may omit the payload; the reader fills it in.
  const io = schema === RawSSEEventSchema ? 'input' : 'output';
  return asWritten(z.toJSONSchema(schema, { unrepresentable: 'any', io }));
}

/** Removes the alternatives that only readers accept, and keywords without meaning here. */
function asWritten(schema: Json): Json {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'anyOf' && Array.isArray(value)) return Object.entries(oneOfKnown(value.map(asWritten)));
    if (key === 'additionalProperties') return [[key, true]];
    if (key === 'id' || key === 'propertyNames' || isSafeIntegerBound(key, value)) return [];
    if (!isJson(value)) return [[key, value]];
    return [[key, key === 'properties' || key === '$defs' ? eachAsWritten(value) : asWritten(value)]];
  });
  return Object.fromEntries(entries);
}

function eachAsWritten(schemas: Json): Json {
  const entries = Object.entries(schemas).map(([name, schema]) => [
    name,
    isJson(schema) ? asWritten(schema) : schema,
  ]);
  return Object.fromEntries(entries);
}

/** Removes from a union the alternative that accepts anything. */
function oneOfKnown(alternatives: Json[]): Json {
  const known = alternatives.filter((alternative) => Object.keys(alternative).length > 0);
  return known.length === 1 && known[0] ? known[0] : { anyOf: known };
}

function isSafeIntegerBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
