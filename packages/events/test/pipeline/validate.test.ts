import { describe, expect, it, vi } from 'vitest';
import { validateEvent } from '../../src/pipeline/validate.js';

const problem = (name: string, data: unknown) => {
  const warnings: string[] = [];
  validateEvent(name, data, { logger: { warn: (message) => void warnings.push(message) } });
  return warnings;
};

describe('validateEvent', () => {
  it.each([
    ['tool_event', {}, 'tool_id, tool_name, status'],
    ['tool_event', { status: 'failed' }, 'tool_id, tool_name'],
    ['system_tool_start', {}, 'tool_id, tool_type'],
    ['system_tool_chunk', { text: '' }, 'tool_id, text'],
    ['system_tool_complete', { result: null }, 'tool_id, result'],
    ['assistant_chunk', {}, 'assistant_id, text'],
    ['status_message', {}, 'assistant_id, message'],
    ['interrupt_required', {}, 'interrupt_id, data_key, prompt'],
    ['agent_assignment', {}, 'agent_name, status'],
    ['enrichment', {}, 'phase, message'],
    ['error', {}, 'error'],
    ['session_start', {}, 'session_id'],
    ['session_end', {}, 'session_id'],
  ])('reports that %s %j lacks %s', (name, data, fields) => {
    expect(problem(name, data)).toEqual([
      `Event '${name}' failed schema validation: missing required fields ${fields}`,
    ]);
  });

  it('counts 0, false, empty arrays and blank strings as present', () => {
    expect(problem('system_tool_complete', { tool_id: ' ', result: 0 })).toEqual([]);
    expect(problem('system_tool_complete', { tool_id: 't', result: false })).toEqual([]);
    expect(problem('system_tool_complete', { tool_id: 't', result: [] })).toEqual([]);
  });

  it('names the path of every reserved own key, and joins all problems', () => {
    const data = JSON.parse('{"a":[{"__proto__":{"constructor":1}}],"__class__":2}');
    expect(problem('error', data)).toEqual([
      "Event 'error' failed schema validation: reserved field names present at $.a[0].__proto__, $.a[0].__proto__.constructor, $.__class__; missing required fields error",
    ]);
    expect(problem('custom', { a: {} })).toEqual([]);
  });

  it('cannot be made to log a second line', () => {
    const data = JSON.parse('{"x\\nERROR forged line\\u001b[2J":{"__proto__":1}}');
    expect(problem('custom', data)).toEqual([
      "Event 'custom' failed schema validation: reserved field names present at $.x\\u000aERROR forged line\\u001b[2J.__proto__",
    ]);
  });

  it.each([[null], [[]], ['x'], [undefined]])('reports that data %j is not an object', (data) => {
    expect(problem('custom', data)).toEqual([
      "Event 'custom' failed schema validation: data must be an object",
    ]);
  });

  it('reports a name that is blank or not a string, whatever the data is', () => {
    expect(problem('  ', {})).toEqual(["Event '  ' failed schema validation: the event name is blank"]);
    expect(problem('  ', null)).toEqual([
      "Event '  ' failed schema validation: the event name is blank; data must be an object",
    ]);
    expect(problem(5 as never, {})).toEqual([
      "Event '5' failed schema validation: the event name must be a string",
    ]);
  });

  it('requires no fields of another contract version', () => {
    expect(problem('error', { contract_version: 'v2' })).toEqual([]);
    expect(problem('error', { contract_version: 'v1' })).toHaveLength(1);
  });

  it('throws in mode strict, does nothing in mode off, and refuses any other mode', () => {
    expect(() => validateEvent('error', {}, { mode: 'strict' })).toThrow(
      expect.objectContaining({ code: 'EVENT_SCHEMA_INVALID', problems: ['missing required fields error'] }),
    );
    validateEvent('error', null, { mode: 'off' });
    for (const mode of ['hard', 1n])
      expect(() => validateEvent('error', {}, { mode: mode as never })).toThrow(/^mode must be/);
  });

  it('refuses options it would ignore', () => {
    expect(() => validateEvent('error', {}, 'strict' as never)).toThrow(/options must be an object/);
    expect(() => validateEvent('error', {}, { modes: 'strict' } as never)).toThrow(/unknown option 'modes'/);
  });

  it('treats a null option like an absent one', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    for (const options of [null, { mode: null, logger: null }]) validateEvent('error', {}, options);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });

  it('terminates on circular data', () => {
    const loop: Record<string, unknown> = { constructor: 1 };
    loop.self = { loop };
    expect(problem('custom', loop)).toEqual([
      "Event 'custom' failed schema validation: reserved field names present at $.constructor",
    ]);
  });
});
