import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceRun } from '../../src/state/reduce-run.js';
import { initialRunState } from '../../src/state/run-state.js';
import { assignmentEvent, event, stateAfter, toolEvent } from './events.js';

const names = [
  'tool_event',
  'system_tool_start',
  'system_tool_chunk',
  'system_tool_complete',
  'system_tool_error',
  'agent_assignment',
  'assistant_chunk',
  'status_message',
  'enrichment',
  'hook_fired',
  'interrupt_required',
  'final',
  'error',
  'session_start',
  'session_end',
  'stream_gap',
  'other',
];
const descriptors = [
  'tool',
  'assignment',
  'assistant',
  'status',
  'enrichment',
  'hook',
  'interrupt',
  'output',
  'error_info',
  'session',
  'scope',
  'participant',
  'chunk',
];
const fields = [
  'id',
  'tool_id',
  'name',
  'status',
  'args',
  'result',
  'error',
  'choices',
  'phase',
  'target_type',
  'target_id',
  'delta',
  'message',
  'prompt',
  '__proto__',
  'toString',
  'contract_version',
  'reason',
  'type',
];
const descriptor = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));
const hostile = fc.record({
  id: fc.string(),
  type: fc.constantFrom(...names),
  timestamp: fc.string(),
  data: fc.dictionary(fc.constantFrom(...descriptors, ...fields), descriptor),
});

/** Returns the values that the types declare as strings, which a page renders. */
function textsOf(state: ReturnType<typeof stateAfter>): unknown[] {
  return state.turns.flatMap((turn) => [
    turn.enrichment?.message,
    turn.error_info?.message,
    turn.output?.response,
    ...turn.cards.flatMap((card) => {
      const common = [card.id, card.scope.name, card.participant.name];
      if (card.kind === 'action')
        return [
          ...common,
          card.tool?.name,
          card.tool?.error,
          card.assignment?.task,
          card.assignment?.agent_name,
        ];
      if (card.kind === 'interrupt')
        return [...common, card.interrupt.prompt, ...(card.interrupt.choices ?? [])];
      return card.kind === 'scope' || card.kind === 'status' || card.kind === 'message' ? common : [];
    }),
  ]);
}

describe('hostile data', () => {
  it('never makes reduceRun throw, and never puts anything but strings where the types declare them', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (events) => {
        const state = events.reduce(reduceRun, initialRunState);
        expect(
          textsOf(state).filter((text) => text !== null && text !== undefined && typeof text !== 'string'),
        ).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

const step = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('t1', 't2', 't3'),
      status: fc.constantFrom('executing', 'completed', 'failed'),
    })
    .map(({ id, status }) => toolEvent(id, status, { result: status })),
  fc
    .record({
      id: fc.constantFrom('t1', 'a1'),
      status: fc.constantFrom('received', 'in_progress', 'completed', 'failed'),
    })
    .map(({ id, status }) => assignmentEvent(id, status)),
  fc
    .constantFrom('t1', 'i1')
    .map((id) => event('interrupt_required', { interrupt: { id, prompt: 'Which day?' } })),
);

describe('replays', () => {
  it('never reopen a finished card, wherever they begin', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat(), fc.nat(), (events, from, to) => {
        const [first, last] = [from % (events.length + 1), to % (events.length + 1)].sort(
          (one, other) => one - other,
        );
        const once = stateAfter(...events);
        const replayed = events.slice(first, last).reduce(reduceRun, once);
        const finished = (state: typeof once) =>
          state.turns.flatMap(({ cards }) =>
            cards
              .filter(({ status }) => status === 'completed' || status === 'failed')
              .map(({ key, status }) => [key, status]),
          );
        expect(finished(replayed)).toEqual(expect.arrayContaining(finished(once)));
        expect(replayed.turns.flatMap(({ cards }) => cards.map(({ key }) => key))).toEqual(
          once.turns.flatMap(({ cards }) => cards.map(({ key }) => key)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('do not change the state they start from', () => {
    const before = stateAfter(toolEvent('t1', 'executing'));
    const copy = structuredClone(before);
    reduceRun(before, toolEvent('t1', 'completed'));
    expect(before).toEqual(copy);
  });
});
