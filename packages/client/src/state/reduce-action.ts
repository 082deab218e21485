import type { AssignmentDescriptor, ChunkDescriptor, EventEnvelope, ToolDescriptor } from '@svc/contracts';
import { isFinished, readCardStatus } from './card-status.js';
import { append, emptyAction, findCard, putCard } from './put-card.js';
import { text } from '../read-data.js';
import { readDescriptor } from './read-descriptor.js';
import type { Turn } from './run-state.js';

/**
 * Reduces events about a call of a tool, or about work given to an agent. Undefined when the event does not say which.
 *
 * @param systemStatus How a system tool stands, which its events say by their name.
 */
export function actionReducer(noun: 'tool' | 'assignment', systemStatus?: string) {
  return (turn: Turn, event: EventEnvelope): Turn | undefined => {
    // The flat `tool_type` of a system tool is its name.
    const data = systemStatus
      ? { tool_name: event.data['tool_type'], ...event.data, tool_type: 'system', status: systemStatus }
      : event.data;
    const descriptor = readDescriptor<ToolDescriptor & AssignmentDescriptor>(noun, data);
    const { id } = descriptor;
    if (!id) return undefined;
    const before = findCard(turn, 'action', id);
    const card = before ?? emptyAction;
    const status = readCardStatus(descriptor.status);
    // A finished card takes nothing from an event that says it still runs, and a finished descriptor nothing at all.
    const isLate =
      before &&
      isFinished(before.status) &&
      (!isFinished(status) || isFinished(readCardStatus(card[noun]?.status)));
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
      [noun]: { ...card[noun], ...descriptor },
    });
  };
}
