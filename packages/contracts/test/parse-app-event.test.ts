import { describe, expect, it } from 'vitest';
import { parseAppEvent } from '../src/parse-app-event.js';

describe('parseAppEvent', () => {
  it('returns the event of a known version', () => {
    const value = {
      contract_version: 'v1',
      event_name: 'tool_event',
      tool: { id: 't', args: null },
      flat: 1,
    };
    expect(parseAppEvent(value)).toEqual({ kind: 'event', event: { ...value, tool: { id: 't', args: {} } } });
  });

  it.each([{}, { contract_version: undefined }, { contract_version: null }])(
    'reads a missing version as v1: %j',
    (version) => {
      expect(parseAppEvent({ ...version, event_name: 'final' })).toEqual({
        kind: 'event',
        event: { contract_version: 'v1', event_name: 'final' },
      });
    },
  );

  it.each([
    ['v2', { event_name: 'final' }],
    ['v2', { name: 'renamed', tool: 'a text' }],
    ['V1', { event_name: 'final' }],
    ['', { event_name: 'final' }],
  ])(
    'reports version %j as unknown and returns the payload, whatever its shape',
    (contract_version, rest) => {
      const payload = { contract_version, ...rest };
      expect(parseAppEvent(payload)).toEqual({
        kind: 'unknown_version',
        contractVersion: contract_version,
        payload,
      });
    },
  );

  it.each([
    [null],
    [undefined],
    ['final'],
    [[]],
    [7],
    [{ contract_version: 'v1' }],
    [{ contract_version: 1, event_name: 'final' }],
    [{ contract_version: 'v1', event_name: ['final'] }],
  ])('reports %j as malformed, with the reason, and does not throw', (value) => {
    const parsed = parseAppEvent(value);
    expect(parsed.kind).toBe('malformed');
    expect(parsed.kind === 'malformed' && parsed.error.issues.length).toBe(1);
  });
});
