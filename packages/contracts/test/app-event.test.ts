import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppEventSchema } from '../src/app-event.js';

const stamp = { contract_version: 'v1', event_name: 'tool_event' };
const descriptorFields = [
  'scope',
  'participant',
  'lifecycle',
  'tool',
  'assistant',
  'assignment',
  'enrichment',
  'interrupt',
  'output',
  'error_info',
  'session',
  'chunk',
  'hook',
];

describe('AppEventSchema', () => {
  it('has sixteen named fields: three strings and thirteen descriptors', () => {
    expect(Object.keys(AppEventSchema.shape)).toEqual([
      'contract_version',
      'event_name',
      'event_kind',
      ...descriptorFields,
    ]);
  });

  it('keeps the flat fields and every other extra', () => {
    const event = { ...stamp, tool_name: 'get_weather', status: 'executing', status_code: 7, x: { y: null } };
    expect(AppEventSchema.parse(event)).toEqual(event);
  });

  it.each(descriptorFields)('accepts %s if it is absent, null or of the wrong type', (field) => {
    expect(field in AppEventSchema.parse(stamp)).toBe(false);
    for (const value of [null, 'text', 7, false, [1]]) {
      expect(AppEventSchema.parse({ ...stamp, [field]: value })).toEqual({ ...stamp, [field]: value });
    }
  });

  it('reads null arguments, details and choices as empty, and leaves absent ones absent', () => {
    const nulls = { tool: { args: null }, error_info: { details: null }, interrupt: { choices: null } };
    expect(AppEventSchema.parse({ ...stamp, ...nulls })).toEqual({
      ...stamp,
      tool: { args: {} },
      error_info: { details: {} },
      interrupt: { choices: [] },
    });
    expect(AppEventSchema.parse({ ...stamp, tool: {} })).toEqual({ ...stamp, tool: {} });
  });

  it('gives every event its own empty objects', () => {
    const [first, second] = [1, 2].map(() => AppEventSchema.parse({ ...stamp, tool: { args: null } }));
    expect(first?.tool?.args).not.toBe(second?.tool?.args);
  });

  it('takes no prototype from hostile JSON, at any depth it parses', () => {
    const hostile = '{"polluted":true}';
    const text = `{"contract_version":"v1","event_name":"x","__proto__":${hostile},"tool":{"__proto__":${hostile},"args":{"__proto__":${hostile},"a":1}}}`;
    const event = AppEventSchema.parse(JSON.parse(text));
    for (const level of [event, event.tool, event.tool?.args]) {
      expect(Object.getPrototypeOf(level)).toBe(Object.prototype);
      expect(level).not.toHaveProperty('polluted');
    }
    expect(event.tool?.args).toEqual({ a: 1 });
  });

  it('does not change its input', () => {
    const given = Object.freeze({ ...stamp, tool: Object.freeze({ args: null }) });
    expect(() => AppEventSchema.parse(given)).not.toThrow();
    expect(given.tool.args).toBeNull();
  });

  it('parses any JSON object with a name, whatever its descriptors contain, and loses no field', () => {
    const descriptor = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('id', 'args', 'choices', 'x'), fc.jsonValue()),
    );
    const payload = fc.dictionary(fc.oneof(fc.constantFrom(...descriptorFields), fc.string()), descriptor);
    fc.assert(
      fc.property(payload, (fields) => {
        const event = { ...fields, ...stamp };
        const kept = Object.keys(event).filter((field) => field !== '__proto__');
        expect(Object.keys(AppEventSchema.parse(event)).toSorted()).toEqual(kept.toSorted());
      }),
    );
  });
});
