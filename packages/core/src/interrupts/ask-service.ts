import { withDeadline } from '../deadline.js';
import { expired, InterruptError } from './errors.js';
import { parseAnswer } from './input-type.js';
import type { InterruptHandler, InterruptRequest } from './interrupt-service.js';

/** A question, who answers it, and how long it is open. */
export interface ServiceQuestion {
  readonly request: InterruptRequest;
  readonly ask: InterruptHandler;
  /** Milliseconds since the epoch, like the request's `expiresAt`. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Gets the answer from a service or a handler, in time and of the requested type. */
export async function askService({ request, ask, now, signal }: ServiceQuestion): Promise<unknown> {
  const timeoutMs = Math.max(0, request.expiresAt - now);
  const createError = () => expired(request.argName, { interrupt_id: request.interruptId });
  const answer = await withDeadline({ timeoutMs, signal, createError }, async (late) =>
    ask(request, { signal: late }),
  );
  const parsed = parseAnswer(request, answer);
  if (parsed.ok) return parsed.value;
  throw new InterruptError(`The answer to '${request.argName}' ${parsed.problem}.`, {
    code: 'INTERRUPT_ANSWER_INVALID',
    details: { input_type: request.inputType },
  });
}
