import { setBounded } from '../bounded-map.js';

/** What is known of a tool that runs. */
export interface ToolContext {
  readonly name: string;
  readonly toolType: string;
  readonly agentName: string | null;
  readonly swarmName: string | null;
}

/** A stream may run for days, so the oldest entries make room. */
const heldAtMost = 10_000;

/**
 * What forwarding remembers of one stream: the text of each assistant, the tools that run, and whether an error ended
 * the turn. One state serves one stream; give it to every call of `forwardNormalizedEvent` for that stream.
 */
export class NormalizedEventForwardingState {
  /** All text of each assistant so far. Only reporters need it, so without one it stays empty. */
  readonly assistantTextById: ReadonlyMap<string, string>;
  /** What is known of each tool that runs. */
  readonly toolContextById: ReadonlyMap<string, ToolContext>;
  /** How often each running system tool told of its progress; without a reporter it stays empty. */
  readonly systemToolChunkCountById: ReadonlyMap<string, number>;
  /** Stamps questions that came without a time. */
  readonly now: () => Date;

  readonly #texts = new Map<string, string>();
  readonly #contexts = new Map<string, ToolContext>();
  readonly #chunkCounts = new Map<string, number>();
  #endedByError = false;

  /** `now` tells the time. @default the system's clock */
  constructor(options: { now?: () => Date } = {}) {
    this.now = options.now ?? (() => new Date());
    this.assistantTextById = this.#texts;
    this.toolContextById = this.#contexts;
    this.systemToolChunkCountById = this.#chunkCounts;
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
    setBounded(this.#texts, [assistantId, full], heldAtMost);
    return full;
  }

  /** Remembers a tool that runs. */
  keepTool(toolId: string, context: ToolContext): void {
    setBounded(this.#contexts, [toolId, context], heldAtMost);
  }

  /** Forgets a tool that ended. */
  dropTool(toolId: string): void {
    this.#contexts.delete(toolId);
    this.#chunkCounts.delete(toolId);
  }

  /** Counts a sign of progress, from 1. */
  countChunk(toolId: string): number {
    const count = (this.#chunkCounts.get(toolId) ?? 0) + 1;
    setBounded(this.#chunkCounts, [toolId, count], heldAtMost);
    return count;
  }
}
