import { describe, expect, it } from 'vitest';
import { AppEventSchema } from '../src/app-event.js';
import { modelDump } from '../src/model-dump.js';

describe('modelDump', () => {
  it('returns all named fields in contract order, null where absent, then the extras', () => {
    const event = AppEventSchema.parse({ tool_id: 't', tool: { id: 't' }, event_name: 'tool_event', x: 0 });
    const dump = modelDump(event);
    expect(Object.keys(dump)).toEqual([...Object.keys(AppEventSchema.shape), 'tool_id', 'x']);
    expect(dump).toEqual({
      contract_version: 'v1',
      event_name: 'tool_event',
      event_kind: null,
      scope: null,
      participant: null,
      lifecycle: null,
      tool: { id: 't' },
      assistant: null,
      assignment: null,
      enrichment: null,
      interrupt: null,
      output: null,
      error_info: null,
      session: null,
      chunk: null,
      hook: null,
      tool_id: 't',
      x: 0,
    });
  });

  it('keeps every named field that the event has', () => {
    const full = Object.fromEntries(Object.keys(AppEventSchema.shape).map((field) => [field, { field }]));
    const event = AppEventSchema.parse({
      ...full,
      contract_version: 'v1',
      event_name: 'x',
      event_kind: 'custom',
    });
    expect(modelDump(event)).toEqual(event);
  });

  it('keeps the version of a newer event', () => {
    expect(
      modelDump(AppEventSchema.parse({ contract_version: 'v2', event_name: 'x' })).contract_version,
    ).toBe('v2');
  });

  it.each([undefined, null])('writes the version of this contract if the version is %s', (version) => {
    const event = { contract_version: version, event_name: 'x' } as never;
    expect(modelDump(event).contract_version).toBe('v1');
  });

  it('returns the same for the dump of a dump', () => {
    const dump = modelDump(AppEventSchema.parse({ event_name: 'final', response: 'hi' }));
    expect(modelDump(AppEventSchema.parse(dump))).toEqual(dump);
  });

  it('writes null for a field that is undefined', () => {
    expect(modelDump({ contract_version: 'v1', event_name: 'x', tool: undefined }).tool).toBeNull();
  });

  it('does not turn an own __proto__ key into a prototype', () => {
    const event = {
      contract_version: 'v1',
      event_name: 'x',
      ...JSON.parse('{"__proto__":{"polluted":true}}'),
    };
    const dump = modelDump(event);
    expect(Object.getPrototypeOf(dump)).toBe(Object.prototype);
    expect(dump['polluted']).toBeUndefined();
  });
});
