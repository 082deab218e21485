import { describe, expect, test } from 'vitest';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';

const single = (id: string | undefined, call: object) => ({
  name: 'tool_event',
  payload: { id, value: { tool_call: call } },
});
const batch = (id: string, ...calls: object[]) => ({
  name: 'tool_event',
  payload: { id, value: { tool_calls: calls } },
});
const idsOf = (...events: { name: string; payload: object }[]) =>
  [...normalizeStream(events)].map((event) => event.tool_id);

describe('a call with the static id of its tool', () => {
  test('is reported again when another event requests it', () => {
    expect(idsOf(single('ev-1', { tool_id: 't' }), single('ev-2', { tool_id: 't' }))).toEqual(['t', 'ev-2']);
  });

  test('is reported for each position in a batch', () => {
    expect(idsOf(batch('ev-1', { tool_id: 't' }, { tool_id: 't' }))).toEqual(['t', 'ev-1:1']);
  });

  test('is reported once when the same event is repeated', () => {
    const events = [single('ev-1', { tool_id: 't' }), single('ev-2', { tool_id: 't' })];
    expect(idsOf(...events, ...events)).toEqual(['t', 'ev-2']);
  });

  test('is reported once if its events have no id', () => {
    expect(idsOf(single(undefined, { tool_id: 't' }), single(undefined, { tool_id: 't' }))).toEqual(['t']);
  });

  test('keeps the name and metadata of the tool under its own id', () => {
    const events = [single('ev-1', { tool_id: 't' }), single('ev-2', { tool_id: 't' })];
    const options = { toolMetadataMap: { t: { tool_name: 'Fetch', tool_type: 'mcp' } } };
    expect([...normalizeStream(events, options)].map((event) => event.tool)).toMatchObject([
      { id: 't', name: 'Fetch', type: 'mcp' },
      { id: 'ev-2', name: 'Fetch', type: 'mcp' },
    ]);
  });
});

describe("the caller's maps", () => {
  test('name a tool, the metadata first, then the name map, then its call', () => {
    const [named, described] = normalizeStream(
      [single('ev-1', { tool_id: 't-1', name: 'raw' }), single('ev-2', { tool_id: 't-2', name: 'raw' })],
      {
        toolNameMap: { 't-1': 'Search', 't-2': 'Mapped' },
        toolMetadataMap: { 't-2': { name: 'Fetch' } },
      },
    );
    expect([named?.tool_name, described?.tool_name]).toEqual(['Search', 'Fetch']);
  });

  test('are searched only for own entries', () => {
    const toolNameMap: Record<string, string> = Object.create({ t: 'inherited' });
    const [event] = normalizeStream([single('ev-1', { tool_id: 't', name: 'n' })], { toolNameMap });
    expect(event?.tool_name).toBe('n');
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'have no inherited entry for a tool called %s',
    (tool_id) => {
      const events = [
        single('ev-1', { tool_id, name: 'n' }),
        { name: 'update', payload: { action_type: 'swarm_agent', action_id: tool_id } },
      ];
      const [tool, assignment] = normalizeStream(events, {
        toolNameMap: {},
        toolMetadataMap: {},
        assignmentNameMap: {},
      });
      expect(tool).toMatchObject({ tool_name: 'n', tool_type: 'func', agent_name: null });
      expect(assignment).toMatchObject({ agent_name: tool_id });
    },
  );
});
