import { EventBridge } from '@svc/events';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { reduceRun } from '../src/state/reduce-run.js';
import { initialRunState } from '../src/state/run-state.js';

type Emission = readonly [name: string, data: Record<string, unknown>];

/** The events of one call or assignment, by its kind, with ids that are new for each. */
const lives: Record<string, (name: string, id: string, status: string) => Emission[]> = {
  tool: (name, id, status) => [
    ['tool_event', { tool_name: name, tool_id: id, status: 'executing' }],
    ['tool_event', { tool_name: name, tool_id: id, status }],
  ],
  systemTool: (name, id) => [
    ['system_tool_start', { tool_type: name, tool_id: id }],
    ['system_tool_chunk', { tool_id: id, text: 'Half done' }],
    ['system_tool_complete', { tool_id: id, result: 1 }],
  ],
  failingSystemTool: (name, id) => [
    ['system_tool_start', { tool_type: name, tool_id: id }],
    ['system_tool_error', { tool_id: id, error: 'No such page' }],
  ],
  member: (name, id, status) => [
    ['agent_assignment', { agent_name: name, assignment_id: `a${id}`, status: 'received' }],
    ['tool_event', { ...agentTool(name, id), status: 'executing' }],
    ['agent_assignment', { agent_name: name, assignment_id: `a${id}`, swarm_name: 'Desk', status }],
    ['tool_event', { ...agentTool(name, id), status }],
  ],
};

const agentTool = (name: string, id: string) => ({
  tool_name: name,
  tool_id: `t${id}`,
  tool_type: 'agent',
  agent_name: name,
});

const status = fc.constantFrom('completed', 'success', 'failed', 'error', 'cancelled');

/** Some calls of one tool or member without arguments, one after the other. */
const callsOf = (name: string) =>
  fc
    .tuple(fc.constantFrom(...Object.values(lives)), fc.array(status, { minLength: 1, maxLength: 3 }))
    .map(([life, ends]) => ends.map((end, i) => life(name, `${name}${i}`, end)));

/** Takes events from the lanes in this order, then what is left; each lane keeps its own order. */
function interleave(lanes: Emission[][], order: readonly number[]): Emission[] {
  const rest = lanes.map((lane) => [...lane]);
  const taken = order.flatMap((at) => rest[at % rest.length]?.splice(0, 1) ?? []);
  return [...taken, ...rest.flat()];
}

it('has one finished card for each call, however the events of several tools and members are interleaved', async () => {
  const lanes = fc.tuple(callsOf('x'), callsOf('y'), callsOf('z'));
  const order = fc.array(fc.nat({ max: 2 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lanes, order, fc.nat(), async (calls, places, start) => {
      await using bridge = new EventBridge('s');
      const emissions = interleave(
        calls.map((lane) => lane.flat()),
        places,
      );
      for (const [name, data] of emissions) await bridge.emit(name, data);
      const events = await bridge.history();
      const cardsAfter = (read: typeof events) =>
        read.reduce(reduceRun, initialRunState).turns.flatMap(({ cards }) => cards);
      const cards = cardsAfter(events);
      expect(cards.length).toBe(calls.flat().length);
      expect(cards.filter((card) => ['running', 'pending'].includes(card.status))).toEqual([]);
      const statuses = (read: typeof cards) => read.map(({ key, status: ended }) => `${key} ${ended}`);
      // A reader that starts later sees fewer cards, but each as it ended.
      const late = cardsAfter(events.slice(start % events.length));
      expect(statuses(cards)).toEqual(expect.arrayContaining(statuses(late)));
    }),
    { numRuns: 300 },
  );
});
