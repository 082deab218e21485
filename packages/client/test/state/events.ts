import type { EventEnvelope } from '@svc/contracts';
import { reduceRun } from '../../src/state/reduce-run.js';
import { initialRunState, type RunState, type Turn } from '../../src/state/run-state.js';

let count = 0;

/** An event of the contract, one second after the previous one. */
export function event(
  type: string,
  data: Record<string, unknown> = {},
  id = `e${(count += 1)}`,
): EventEnvelope {
  const timestamp = new Date(count * 1000).toISOString();
  return { id, type, timestamp, data: { contract_version: 'v1', event_name: type, ...data } };
}

/** The state after these events. */
export function stateAfter(...events: EventEnvelope[]): RunState {
  return events.reduce(reduceRun, initialRunState);
}

/** The last turn after these events. */
export function turnAfter(...events: EventEnvelope[]): Turn {
  const turn = stateAfter(...events).turns.at(-1);
  if (!turn) throw new Error('no turn');
  return turn;
}

/** A `tool_event` as the bridge writes it. */
export function toolEvent(id: string, status: string, more: Record<string, unknown> = {}): EventEnvelope {
  const tool = {
    id,
    tool_id: id,
    name: 'search',
    type: 'func',
    status,
    args: {},
    result: null,
    error: null,
    ...more,
  };
  return event('tool_event', { tool_id: id, tool_name: 'search', tool_type: 'func', status, ...more, tool });
}

/** An `agent_assignment` as the bridge writes it. */
export function assignmentEvent(
  id: string,
  status: string,
  more: Record<string, unknown> = {},
): EventEnvelope {
  const assignment = {
    id,
    assignment_id: id,
    agent_name: 'Ada',
    status,
    task: null,
    result: null,
    error: null,
    ...more,
  };
  return event('agent_assignment', { assignment_id: id, agent_name: 'Ada', status, ...more, assignment });
}
