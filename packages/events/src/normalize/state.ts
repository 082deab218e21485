import { randomUUID } from 'node:crypto';
import { MOST_REMEMBERED, remember } from '../bounded-map.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** A model tool that completes when the turn ends. */
export interface PendingModelTool {
  readonly toolName: string;
  readonly toolId: string;
}

/**
 * The normalizer's state of one stream: the text of each assistant so far, the reported calls, and the model tools that
 * have not completed. Use one state per stream and pass it to every call of `normalizeStreamEvent`.
 */
export class NormalizedStreamState {
  readonly #texts = new Map<string, string>();
  readonly #calls = new Map<string, string | undefined>();
  #pending: PendingModelTool[] = [];
  #lastModelToolResult: JsonRecord | undefined;
  readonly #hiddenToolIds = new Map<string, true>();

  /** The latest full text of each assistant, from cumulative updates. */
  readonly streamingTextById: ReadonlyMap<string, string> = this.#texts;
  /** The ids of the reported tool calls, with the event that contained each. */
  readonly reportedToolIds: ReadonlyMap<string, string | undefined> = this.#calls;
  /** Creates the id of a system tool, model tool or interrupt without one. */
  readonly createId: () => string;

  /** `createId` creates the missing ids. @default random UUIDs */
  constructor(options: { createId?: (() => string) | undefined } = {}) {
    this.createId = options.createId ?? randomUUID;
  }

  /** @internal Stores the full text of an assistant. */
  keepText(assistantId: string, text: string): void {
    remember(this.#texts, assistantId, text);
  }

  /** @internal Remembers that a call was reported, and which event contained it. */
  keepCall(toolId: string, call: string | undefined): void {
    remember(this.#calls, toolId, call);
  }

  /** The model tools that wait for the final event, in order. */
  get pendingModelTools(): readonly PendingModelTool[] {
    return this.#pending;
  }

  /** @internal Defers a model tool to the final event. Its result, or undefined, becomes the latest. */
  deferModelTool(tool: PendingModelTool, result: JsonRecord | undefined): void {
    this.#lastModelToolResult = result;
    this.#pending.push(tool);
    if (this.#pending.length > MOST_REMEMBERED) this.#pending.shift();
  }

  /** @internal Removes and returns the pending model tools. */
  takeModelTools(): readonly PendingModelTool[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  /** The structured result of the latest model tool, if it had one. */
  get lastModelToolResult(): JsonRecord | undefined {
    return this.#lastModelToolResult;
  }

  /** @internal Marks a system tool as internal, so that its later events stay hidden too. */
  hideTool(toolId: string): void {
    remember(this.#hiddenToolIds, toolId, true);
  }

  /** @internal Whether a system tool was hidden. */
  isHiddenTool(toolId: string): boolean {
    return this.#hiddenToolIds.has(toolId);
  }
}
