import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { NormalizedStreamState } from '../../src/normalize/state.js';
import { toRawSseEvent } from '../../src/normalize/raw-sse-event.js';
import { arbitraryRawEvents } from './arbitrary-raw-event.ts';

const options = {
  defaultAgentName: 'A',
  defaultParticipantKey: 'k',
  toolNameMap: { 't-1': 'Mapped' },
  toolMetadataMap: { 't-2': { tool_type: 'agent', target_agent_id: 'ag' } },
};

/** Creates a state with sequential ids, so that two passes over the same events can be compared. */
function countingState() {
  let made = 0;
  return new NormalizedStreamState({ createId: () => `made-${(made += 1)}` });
}

/** Returns data as JSON; `fc.anything()` also generates values that JSON cannot represent. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
}

describe('normalizeStreamEvent', () => {
  test('never throws, whatever a payload contains', () => {
    fc.assert(
      fc.property(arbitraryRawEvents, (events) => {
        const state = new NormalizedStreamState();
        for (const event of events)
          expect(normalizeStreamEvent(event, { ...options, state })).toBeInstanceOf(Array);
      }),
      { numRuns: 1_000 },
    );
  });

  test('does not change payloads', () => {
    fc.assert(
      fc.property(arbitraryRawEvents, (events) => {
        const before = shown(events);
        const state = new NormalizedStreamState();
        for (const event of events) normalizeStreamEvent(event, { ...options, state });
        expect(shown(events)).toBe(before);
      }),
    );
  });

  test('returns the same events for a stream in one piece and in several', () => {
    fc.assert(
      fc.property(arbitraryRawEvents, fc.array(fc.nat({ max: 25 }), { maxLength: 5 }), (events, cuts) => {
        const whole = countingState();
        const once = events.flatMap((event) => normalizeStreamEvent(event, { ...options, state: whole }));
        const pieces = countingState();
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), events.length];
        const split = bounds
          .slice(1)
          .flatMap((end, index) =>
            events
              .slice(bounds[index], end)
              .flatMap((event) => normalizeStreamEvent(event, { ...options, state: pieces })),
          );
        expect(shown(split)).toBe(shown(once));
      }),
    );
  });

  test('gives every event the contract version and a name', () => {
    fc.assert(
      fc.property(arbitraryRawEvents, (events) => {
        for (const event of normalizeStream(events)) {
          expect(event.contract_version).toBe('v1');
          expect(event.event_name.trim()).not.toBe('');
        }
      }),
    );
  });

  test('treats every event as the first of its stream if it has no state', () => {
    const update = { name: 'update', payload: { streaming_content: 'Hello' } };
    expect(normalizeStreamEvent(update)).toEqual(normalizeStreamEvent(update));
  });

  test('refuses an unknown option', () => {
    const options = Object.assign({ state: null }, { toolNames: { 't-1': 'Find' } });
    expect(() => normalizeStreamEvent({ name: 'final' }, options)).toThrow(
      /^normalizeStreamEvent: unknown option 'toolNames'\. Known options: .*, toolNameMap, .*, state\.$/,
    );
  });

  test('refuses a state that is none', () => {
    const event = { name: 'update', payload: { streaming_content: 'Hi', assistant_id: 'a-1' } };
    // @ts-expect-error: as from plain JavaScript.
    expect(() => normalizeStreamEvent(event, { state: {} })).toThrow(/^state must have a keepText method$/);
  });

  test('passes a finished event unchanged, whatever its raw name, and does not change the state', () => {
    const state = new NormalizedStreamState();
    const payload = {
      contract_version: 'v1',
      event_name: 'tool_event',
      tool: { id: 't', elapsed_ms: 4 },
      mine: 1,
    };
    expect(normalizeStreamEvent({ name: 'update', payload }, { state })).toEqual([payload]);
    expect(state.reportedToolIds.size).toBe(0);
  });

  test('reads null arguments, details and choices of a finished event as empty ones', () => {
    const payload = {
      contract_version: 'v1',
      event_name: 'e',
      tool: { args: null, id: 1 },
      error_info: { details: null },
      interrupt: { choices: null },
    };
    expect(normalizeStreamEvent({ name: 'e', payload })).toEqual([
      { ...payload, tool: { args: {}, id: 1 }, error_info: { details: {} }, interrupt: { choices: [] } },
    ]);
    expect(payload.tool.args).toBeNull();
  });

  test.each([
    ['heartbeat'],
    ['interrupt_request'],
    ['hook_fired'],
    ['constructor'],
    ['toString'],
    ['Final'],
    [''],
  ])('returns no events for a raw %j', (name) => {
    expect(normalizeStreamEvent({ name, payload: {} })).toEqual([]);
  });
});

describe('toRawSseEvent', () => {
  test('returns only the name and the payload of a stream event', () => {
    const streamEvent = { name: 'final', payload: { response: 'x' }, id: '1' };
    expect(toRawSseEvent(streamEvent)).toEqual({
      name: 'final',
      payload: { response: 'x' },
    });
    expect(toRawSseEvent({ name: 'heartbeat' })).toEqual({ name: 'heartbeat', payload: {} });
  });
});
