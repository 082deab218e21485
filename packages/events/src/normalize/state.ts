import { randomUUID } from 'node:crypto';
import { MOST_REMEMBERED, remember } from '../bounded-map.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** A model tool whose completion waits for the end of the turn. */
export interface PendingModelTool {
  readonly toolName: string;
  readonly toolId: string;
}

/**
 * What the normalizer remembers of one stream: the text of each assistant so far, the calls it has told of, and the
 * model tools that wait for their completion. One state serves one stream; give it to every call of
 * `normalizeStreamEvent` for that stream.
 */
export class NormalizedStreamState {
  readonly #texts = new Map<string, string>();
  readonly #calls = new Map<string, string | undefined>();
  #pending: PendingModelTool[] = [];
  #lastModelToolResult: JsonRecord | undefined;
  readonly #hiddenToolIds = new Map<string, true>();

  /** The last full text of each assistant, from cumulative updates. */
  readonly streamingTextById: ReadonlyMap<string, string> = this.#texts;
  /** The ids of tool calls already told of. */
  readonly reportedToolIds: ReadonlyMap<string, string | undefined> = this.#calls;
  /** Makes the id of a system tool, model tool or interrupt that came without one. */
  readonly createId: () => string;

  /** `createId` makes the ids of things that came without one. @default random UUIDs */
  constructor(options: { createId?: (() => string) | undefined } = {}) {
    this.createId = options.createId ?? randomUUID;
  }

  /** Keeps the full text of an assistant. */
  keepText(assistantId: string, text: string): void {
    remember(this.#texts, assistantId, text);
  }

  /** Remembers that a call was told of, and which event brought it. */
  keepCall(toolId: string, call: string | undefined): void {
    remember(this.#calls, toolId, call);
  }

  /** Model tools that wait for the final event, in order. */
  get pendingModelTools(): readonly PendingModelTool[] {
    return this.#pending;
  }

  /** Lets a model tool wait for the final event. Its result, when it has one, is the latest. */
  deferModelTool(tool: PendingModelTool, result: JsonRecord | undefined): void {
    this.#lastModelToolResult = result;
    this.#pending.push(tool);
    if (this.#pending.length > MOST_REMEMBERED) this.#pending.shift();
  }

  /** The model tools that waited; none waits afterwards. */
  takeModelTools(): readonly PendingModelTool[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  /** The structured result of the latest model tool, when it had one. */
  get lastModelToolResult(): JsonRecord | undefined {
    return this.#lastModelToolResult;
  }

  /** Remembers that a system tool is internal, so that what follows of it stays hidden too. */
  hideTool(toolId: string): void {
    remember(this.#hiddenToolIds, toolId, true);
  }

  /** Whether a system tool was hidden. */
  isHiddenTool(toolId: string): boolean {
    return this.#hiddenToolIds.has(toolId);
  }
}
