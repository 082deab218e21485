import type { EventEnvelope, InterruptDescriptor } from '@svc/contracts';
import { putCard } from './put-card.js';
import { readDescriptor } from './read-descriptor.js';
import type { Turn } from './run-state.js';

/** The run waits for an answer. Returns undefined if the event has no id. */
export function reduceInterrupt(turn: Turn, event: EventEnvelope): Turn | undefined {
  const interrupt = readDescriptor<InterruptDescriptor>('interrupt', event.data);
  const { id } = interrupt;
  if (!id) return undefined;
  return putCard(turn, event, { kind: 'interrupt', id, status: 'pending', interrupt });
}
