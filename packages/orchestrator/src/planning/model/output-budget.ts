import type { TextStreamPart, ToolSet } from 'ai';
import { PlannerError } from '../planner-error.js';

/** Bytes that a model may write in one turn: text, thoughts and arguments together. */
export class OutputBudget {
  readonly #maxBytes: number;
  /** Calls whose arguments came in pieces; they come once more as a whole. */
  readonly #piecemeal = new Set<string>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a part of the stream. @throws PlannerError `PLANNER_LENGTH` when the turn gets too long */
  take(part: TextStreamPart<ToolSet>): void {
    this.#bytes += Buffer.byteLength(this.#writtenIn(part));
    if (this.#bytes > this.#maxBytes)
      throw new PlannerError(
        `The model’s answer is longer than ${this.#maxBytes} bytes. Ask for less, or raise maxOutputBytes.`,
        { code: 'PLANNER_LENGTH', details: { max_output_bytes: this.#maxBytes } },
      );
  }

  #writtenIn(part: TextStreamPart<ToolSet>): string {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text;
    if (part.type === 'tool-input-delta') {
      this.#piecemeal.add(part.id);
      return part.delta;
    }
    if (part.type !== 'tool-call' || this.#piecemeal.has(part.toolCallId)) return '';
    return typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? null);
  }
}
