import { withDeadline } from '../deadline.js';
import { expired, InterruptError } from './errors.js';
import { parseAnswer } from './input-type.js';
import type { InterruptRequest } from './interrupt-service.js';

interface OpenInterrupt {
  readonly request: InterruptRequest;
  readonly resolve: (value: string | number | boolean) => void;
}

/** The questions of a run that wait for `run.answer()`. Each can be answered once, before it expires. */
export class OpenInterrupts {
  readonly #open = new Map<string, OpenInterrupt>();

  /** Waits for the answer. `alias` is another id of the question, such as its checkpoint's. */
  async wait(
    request: InterruptRequest,
    options: { signal: AbortSignal; now: number; alias: string | undefined },
  ): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<string | number | boolean>();
    const ids = [request.interruptId, ...(options.alias === undefined ? [] : [options.alias])];
    const entry: OpenInterrupt = { request, resolve };
    for (const id of ids) this.#open.set(id, entry);
    const timeoutMs = Math.max(0, request.expiresAt - options.now);
    const createError = () => expired(request.argName, { interrupt_id: request.interruptId });
    try {
      return await withDeadline({ timeoutMs, signal: options.signal, createError }, () => promise);
    } finally {
      for (const id of ids) if (this.#open.get(id) === entry) this.#open.delete(id);
    }
  }

  /** Accepts an answer. An invalid one is refused and leaves the question open. */
  answer(interruptId: string, answer: unknown): void {
    const entry = this.#open.get(interruptId);
    if (!entry) {
      throw new InterruptError(
        `No question '${interruptId}' is open in this run: it has been answered, has expired, or never existed.`,
        { code: 'INTERRUPT_NOT_OPEN', details: { interrupt_id: interruptId } },
      );
    }
    const parsed = parseAnswer(entry.request, answer);
    if (!parsed.ok) {
      throw new InterruptError(`The answer ${parsed.problem}. The question stays open.`, {
        code: 'INTERRUPT_ANSWER_INVALID',
        details: { interrupt_id: interruptId, input_type: entry.request.inputType },
      });
    }
    for (const [id, open] of this.#open) if (open === entry) this.#open.delete(id);
    entry.resolve(parsed.value);
  }
}
