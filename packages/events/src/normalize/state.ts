import { randomUUID } from 'node:crypto';
import { setBounded } from '../bounded-map.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** A model tool whose completion waits for the end of the turn. */
export interface PendingModelTool {
  readonly toolName: string;
  readonly toolId: string;
}

/** A stream may run for days, so the oldest entries make room. */
const heldAtMost = 10_000;

/**
 * What the normalizer remembers of one stream: the text of each assistant so far, the calls it has told of, and the
 * model tools that wait for their completion. One state serves one stream; give it to every call of
 * `normalizeStreamEvent` for that stream.
 */
export class NormalizedStreamState {
  /** The last full text of each assistant, from cumulative updates. */
  readonly streamingTextById: ReadonlyMap<string, string>;
  /** The ids of tool calls already told of. */
  readonly reportedToolIds: ReadonlyMap<string, string | undefined>;
  /** Makes the id of a system tool, model tool or interrupt that came without one. */
  readonly createId: () => string;

  readonly #texts = new Map<string, string>();
  readonly #calls = new Map<string, string | undefined>();
  #pending: PendingModelTool[] = [];
  #lastModelToolResult: JsonRecord | undefined = undefined;
  readonly #hiddenToolIds = new Map<string, true>();

  /** `createId` makes the ids of things that came without one. @default random UUIDs */
  constructor(options: { createId?: () => string } = {}) {
    this.createId = options.createId ?? randomUUID;
    this.streamingTextById = this.#texts;
    this.reportedToolIds = this.#calls;
  }

  /** Keeps the full text of an assistant. */
  keepText(assistantId: string, text: string): void {
    setBounded(this.#texts, [assistantId, text], heldAtMost);
  }

  /** Remembers that a call was told of, and which event brought it. */
  keepCall(toolId: string, call: string | undefined): void {
    setBounded(this.#calls, [toolId, call], heldAtMost);
  }

  /** Model tools that wait for the final event, in order. */
  get pendingModelTools(): readonly PendingModelTool[] {
    return this.#pending;
  }

  /** Lets a model tool wait for the final event. Its result, when it has one, is the latest. */
  deferModelTool(tool: PendingModelTool, result: JsonRecord | undefined): void {
    this.#lastModelToolResult = result;
    this.#pending.push(tool);
    if (this.#pending.length > heldAtMost) this.#pending.shift();
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
    setBounded(this.#hiddenToolIds, [toolId, true], heldAtMost);
  }

  /** Whether a system tool was hidden. */
  isHiddenTool(toolId: string): boolean {
    return this.#hiddenToolIds.has(toolId);
  }
}
