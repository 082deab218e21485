import type { InterruptService } from '../../src/interrupts/interrupt-service.js';

/** A service that gives the same answer to every question and records the requests. */
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
