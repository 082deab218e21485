import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import * as descriptors from '../src/descriptors.js';

const schemas: [string, z.ZodObject][] = Object.entries(descriptors);
const oddValues = [null, 7, 3.5, Number.NaN, true, 'text', [], ['x', 1], {}, { a: { b: 1 } }];

describe('descriptors', () => {
  it('are those of the thirteen event fields, and the status of a status message', () => {
    expect(Object.keys(descriptors).toSorted()).toEqual([
      'AssignmentDescriptorSchema',
      'AssistantDescriptorSchema',
      'ChunkDescriptorSchema',
      'EnrichmentDescriptorSchema',
      'ErrorInfoDescriptorSchema',
      'HookDescriptorSchema',
      'InterruptDescriptorSchema',
      'LifecycleDescriptorSchema',
      'OutputDescriptorSchema',
      'ParticipantDescriptorSchema',
      'ScopeDescriptorSchema',
      'SessionDescriptorSchema',
      'StatusDescriptorSchema',
      'ToolDescriptorSchema',
    ]);
  });

  it.each(schemas)('%s has no required fields', (_name, schema) => {
    expect(schema.parse({})).toEqual({});
  });

  it.each(schemas)('%s keeps unknown fields, whatever they contain', (_name, schema) => {
    const extras = { x_new: { deep: [1, null] }, x_null: null };
    expect(schema.parse(extras)).toEqual(extras);
  });

  it.each(schemas)('%s accepts and keeps a value of the wrong type in any field', (_name, schema) => {
    for (const field of Object.keys(schema.shape)) {
      for (const value of oddValues) {
        const emptied =
          value === null && ['args', 'details'].includes(field)
            ? {}
            : value === null && field === 'choices'
              ? []
              : value;
        expect(schema.parse({ [field]: value })).toEqual({ [field]: emptied });
      }
    }
  });

  it.each(schemas)('%s takes no prototype from parsed JSON', (_name, schema) => {
    const parsed = schema.parse(
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(parsed['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(schemas)('%s copies its input, so that later changes to it have no effect', (_name, schema) => {
    const input: Record<string, unknown> = { x: 1 };
    const parsed = schema.parse(input);
    input['x'] = 2;
    expect(parsed).toEqual({ x: 1 });
  });

  it.each(schemas)('%s refuses anything but an object', (_name, schema) => {
    for (const value of ['text', 7, null, [], undefined]) expect(schema.safeParse(value).success).toBe(false);
  });
});
