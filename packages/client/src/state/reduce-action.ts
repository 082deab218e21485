import type { AssignmentDescriptor, ChunkDescriptor, EventEnvelope, ToolDescriptor } from '@svc/contracts';
import { isFinished, readCardStatus } from './card-status.js';
import { append, emptyAction, findCard, putCard } from './put-card.js';
import { text } from '../read-data.js';
import { readDescriptor } from './read-descriptor.js';
import type { Turn } from './run-state.js';

/**
 * Returns a reducer of events about a tool call or an agent's assignment. For an event without an id it returns
 * nothing.
 *
 * @param systemStatus The status of a system tool, which its events state by their name.
 */
export function actionReducer(name: 'tool' | 'assignment', systemStatus?: string) {
  return (turn: Turn, event: EventEnvelope): Turn | undefined => {
    // The flat `tool_type` of a system tool is its name.
    const data = systemStatus
      ? { tool_name: event.data['tool_type'], ...event.data, tool_type: 'system', status: systemStatus }
      : event.data;
    const descriptor = readDescriptor<ToolDescriptor & AssignmentDescriptor>(name, data);
    const { id } = descriptor;
    if (!id) return undefined;
    const before = findCard(turn, 'action', id);
    const card = before ?? emptyAction;
    const status = readCardStatus(descriptor.status);
    // A finished card ignores events that say it still runs; a finished descriptor ignores all events.
    const isLate =
      before &&
      isFinished(before.status) &&
      (!isFinished(status) || isFinished(readCardStatus(card[name]?.status)));
    if (isLate) return turn;
    return putCard(turn, event, {
      ...card,
      id,
      status,
      agent_name: text(data['agent_name']) ?? card.agent_name,
      swarm_name: text(data['swarm_name']) ?? card.swarm_name,
      chunks:
        event.type === 'system_tool_chunk'
          ? append(card.chunks, readDescriptor<ChunkDescriptor>('chunk', data))
          : card.chunks,
      [name]: { ...card[name], ...descriptor },
    });
  };
}
