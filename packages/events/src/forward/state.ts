import { remember } from '../bounded-map.js';

/** What is known of a tool that runs. */
export interface ToolContext {
  readonly name: string;
  readonly toolType: string;
  readonly agentName: string | null;
  readonly swarmName: string | null;
}

/**
 * What forwarding remembers of one stream: the text of each assistant, the tools that run, and whether an error ended
 * the turn. One state serves one stream; give it to every call of `forwardNormalizedEvent` for that stream.
 */
export class NormalizedEventForwardingState {
  readonly #texts = new Map<string, string>();
  readonly #contexts = new Map<string, ToolContext>();
  readonly #chunkCounts = new Map<string, number>();
  #endedByError = false;

  /** All text of each assistant so far. Only reporters need it, so without one it stays empty. */
  readonly assistantTextById: ReadonlyMap<string, string> = this.#texts;
  /** What is known of each tool that runs. */
  readonly toolContextById: ReadonlyMap<string, ToolContext> = this.#contexts;
  /** How often each running system tool told of its progress; without a reporter it stays empty. */
  readonly systemToolChunkCountById: ReadonlyMap<string, number> = this.#chunkCounts;
  /** Stamps questions that came without a time. */
  readonly now: () => Date;

  /** `now` tells the time. @default the system's clock */
  constructor(options: { now?: (() => Date) | undefined } = {}) {
    this.now = options.now ?? (() => new Date());
  }

  /** Whether an `error` ended the turn: a failed `final` after it tells of the same failure. */
  get endedByError(): boolean {
    return this.#endedByError;
  }

  /** A turn began. */
  beginTurn(): void {
    this.#endedByError = false;
  }

  /** An `error` ended the turn. */
  endByError(): void {
    this.#endedByError = true;
  }

  /** Adds text of an assistant, or starts it over, and gives all of it. */
  addText(assistantId: string, { text, replaces }: { text: string; replaces: boolean }): string {
    const full = replaces ? text : (this.#texts.get(assistantId) ?? '') + text;
    remember(this.#texts, assistantId, full);
    return full;
  }

  /** Remembers a tool that runs. */
  keepTool(toolId: string, context: ToolContext): void {
    remember(this.#contexts, toolId, context);
  }

  /** Forgets a tool that ended. */
  dropTool(toolId: string): void {
    this.#contexts.delete(toolId);
    this.#chunkCounts.delete(toolId);
  }

  /** Counts a sign of progress, from 1. */
  countChunk(toolId: string): number {
    const count = (this.#chunkCounts.get(toolId) ?? 0) + 1;
    remember(this.#chunkCounts, toolId, count);
    return count;
  }
}
