import { identify } from '../../src/pipeline/identify.js';
import { rebuild } from '../../src/pipeline/rebuild.js';
import { TurnState } from '../../src/pipeline/turn-state.js';

/** Returns a function that identifies an event, applies its effects and returns its payload, as a bridge does. */
export function player() {
  const state = new TurnState();
  return (name: string, data: Record<string, unknown>) => {
    const draft = rebuild(name, data);
    state.apply(identify(draft, state));
    return draft.payload;
  };
}

/** Returns the ids that consecutive events get. */
export function idsOf(events: readonly [name: string, data: Record<string, unknown>][]): unknown[] {
  const play = player();
  return events.map((event) => {
    const { tool_id, assignment_id, scope_id, target_id } = play(...event);
    return tool_id ?? assignment_id ?? scope_id ?? target_id;
  });
}

/** An assignment of the swarm member 'Analyst'. */
export const assignment = (status: string, id?: string, swarm: string | undefined = 'Desk') =>
  ['agent_assignment', { agent_name: 'Analyst', status, assignment_id: id, swarm_name: swarm }] as [
    string,
    Record<string, unknown>,
  ];

/** An event of the function tool 'fetch'. */
export const tool = (status: string, id: string, args = {}) =>
  ['tool_event', { tool_name: 'fetch', tool_id: id, status, args }] as [string, Record<string, unknown>];
