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

/** Returns the card status for a status on the wire. The list is open: an unknown status means `running`. */
export function readCardStatus(status: unknown): CardStatus {
  return statuses.get(status) ?? 'running';
}

/** Whether this status is final. */
export function isFinished(status: CardStatus): boolean {
  return status !== 'pending' && status !== 'running';
}
