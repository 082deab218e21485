import type { CardStatus } from './run-state.js';

const statuses = new Map<unknown, CardStatus>(
  Object.entries({
    received: 'pending',
    completed: 'completed',
    success: 'completed',
    failed: 'failed',
    error: 'failed',
    cancelled: 'cancelled',
  } as const),
);

/** What a status of the wire means for a card. The list is open: a word that is not known is work going on. */
export function readCardStatus(said: unknown): CardStatus {
  return statuses.get(said) ?? 'running';
}

/** Whether nothing more will happen to what has this status. */
export function isFinished(status: CardStatus): boolean {
  return status !== 'pending' && status !== 'running';
}
