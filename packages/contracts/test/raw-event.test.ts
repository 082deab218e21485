import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { jsonSchemas } from '../scripts/json-schemas.js';
import { RawSSEEventSchema } from '../src/raw-event.js';

it('a raw event without a payload is valid, and its payload is an empty object', () => {
  expect(RawSSEEventSchema.parse({ name: 'heartbeat' })).toEqual({ name: 'heartbeat', payload: {} });
  const validate = new Ajv2020().compile(jsonSchemas()['raw-sse-event.json'] ?? false);
  expect(validate({ name: 'heartbeat' })).toBe(true);
  expect(validate({ payload: {} })).toBe(false);
});
