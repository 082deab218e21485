import type { AssistantDescriptor, EventEnvelope, StatusDescriptor } from '@svc/contracts';
import { findCard, putCard } from './put-card.js';
import { text } from '../read-data.js';
import { readDescriptor } from './read-descriptor.js';
import type { Turn } from './run-state.js';

/** An assistant's text grew, or was replaced. */
export function reduceAssistantChunk(turn: Turn, event: EventEnvelope): Turn {
  const assistant = readDescriptor<AssistantDescriptor>('assistant', event.data);
  const id = assistant.id ?? 'assistant';
  const earlier = assistant.replace_content ? '' : (findCard(turn, 'message', id)?.text ?? '');
  const delta = assistant.delta ?? text(event.data['text']) ?? '';
  return putCard(turn, event, { kind: 'message', id, status: 'running', text: earlier + delta });
}

/** A status line. Returns undefined if the message is empty. */
export function reduceStatusMessage(turn: Turn, event: EventEnvelope): Turn | undefined {
  const { message } = readDescriptor<StatusDescriptor>('status', event.data);
  if (!message) return undefined;
  return putCard(turn, event, {
    kind: 'status',
    id: event.id || `${turn.cards.length}`,
    status: 'completed',
    assistant_id: readDescriptor<AssistantDescriptor>('assistant', event.data).id,
    message,
  });
}
