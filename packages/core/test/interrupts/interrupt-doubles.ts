import type { InterruptService } from '../../src/interrupts/interrupt-service.js';

/** A service that gives one answer to every question, and keeps what it was asked. */
export function serviceOf(answer: unknown): InterruptService & { asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    async ask({ interruptId: _id, runId: _run, expiresAt: _at, ...request }) {
      asked.push(request);
      return answer;
    },
  };
}
