import { remember } from '../bounded-map.js';

/** A running tool. */
export interface ToolContext {
  readonly name: string;
  readonly toolType: string;
  readonly agentName: string | null;
  readonly swarmName: string | null;
}

/**
 * The forwarding state of one stream: the text of each assistant, the running tools, and whether an error ended the turn.
 * Use one state per stream and pass it to every call of `forwardNormalizedEvent`.
 */
export class NormalizedEventForwardingState {
  readonly #texts = new Map<string, string>();
  readonly #contexts = new Map<string, ToolContext>();
  readonly #chunkCounts = new Map<string, number>();
  #endedByError = false;

  /** The text of each assistant so far. Stays empty without a reporter. */
  readonly assistantTextById: ReadonlyMap<string, string> = this.#texts;
  /** The running tools. */
  readonly toolContextById: ReadonlyMap<string, ToolContext> = this.#contexts;
  /** The number of progress reports of each running system tool. Stays empty without a reporter. */
  readonly systemToolChunkCountById: ReadonlyMap<string, number> = this.#chunkCounts;
  /** Returns the time for questions without a timestamp. */
  readonly now: () => Date;

  /** `now` returns the current time. @default the system clock */
  constructor(options: { now?: (() => Date) | undefined } = {}) {
    this.now = options.now ?? (() => new Date());
  }

  /** Whether an `error` ended the turn; a failed `final` after it reports the same failure. */
  get endedByError(): boolean {
    return this.#endedByError;
  }

  /** Starts a turn, as a `session_start` and `forwardNormalizedStream` do. */
  beginTurn(): void {
    this.#endedByError = false;
  }

  /** @internal Ends the turn by an `error`. */
  endByError(): void {
    this.#endedByError = true;
  }

  /** @internal Appends to or replaces an assistant's text, and returns the full text. */
  addText(assistantId: string, { text, replaces }: { text: string; replaces: boolean }): string {
    const full = replaces ? text : (this.#texts.get(assistantId) ?? '') + text;
    remember(this.#texts, assistantId, full);
    return full;
  }

  /** @internal Remembers a running tool. */
  keepTool(toolId: string, context: ToolContext): void {
    remember(this.#contexts, toolId, context);
  }

  /** @internal Forgets a tool that ended. */
  dropTool(toolId: string): void {
    this.#contexts.delete(toolId);
    this.#chunkCounts.delete(toolId);
  }

  /** @internal Counts a progress report and returns the count, from 1. */
  countChunk(toolId: string): number {
    const count = (this.#chunkCounts.get(toolId) ?? 0) + 1;
    remember(this.#chunkCounts, toolId, count);
    return count;
  }
}
