import {
  generateId,
  streamText,
  ToolChoiceViolationError,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import type { JsonObject } from '@svc/contracts';
import { isJsonObject } from '../../json-object.js';
import type { PlanUsage } from '../plan-step.js';
import type { OfferedTools } from './model-tools.js';
import { withOutputBudget } from './output-budget.js';
import { validName } from './tool-names.js';
import type { TurnPart, TurnState } from './turn-state.js';

/** A tool call as a model made it. `args` is absent when its arguments were not a JSON object. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly args?: JsonObject;
  readonly raw: string;
}

/** What a model said in one turn. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finishReason: string;
  readonly usage: PlanUsage;
  readonly state: TurnState;
}

/** The parameters of one model call. */
export interface ModelRequest extends OfferedTools {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly reasoning?: 'minimal' | 'low' | 'medium' | 'high';
  readonly maxOutputTokens?: number;
  readonly maxOutputBytes: number;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

/** Some services report usage that is not a token count. */
const isCount = (count: number | undefined) => Number.isSafeInteger(count) && Number(count) >= 0;

const counts = (usage: LanguageModelUsage): PlanUsage => {
  const entries = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    cache_read_tokens: usage.inputTokenDetails.cacheReadTokens,
    cache_creation_tokens: usage.inputTokenDetails.cacheWriteTokens,
    reasoning_tokens: usage.outputTokenDetails.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, count]) => isCount(count)));
};

type Metadata = NonNullable<TurnState['calls'][number]['metadata']>;

/** Provider metadata is JSON by contract; anything else would not survive storing and is left out. */
function jsonMetadata(metadata: unknown): { metadata?: Metadata } {
  if (metadata === undefined) return {};
  const copy: unknown = JSON.parse(JSON.stringify(metadata));
  return isJsonObject(copy) && Object.keys(copy).length > 0 ? { metadata: copy as Metadata } : {};
}

/**
 * Calls a model once and reads its stream to the end. Text is passed on as it arrives.
 * @throws PlannerError `PLANNER_LENGTH` beyond `maxOutputBytes`; otherwise whatever ended the call early
 */
export async function runModelTurn(
  request: ModelRequest,
  io: { signal: AbortSignal; onText(delta: string): void },
): Promise<ModelTurn> {
  const { model, timeoutMs, reasoning, maxOutputTokens, maxOutputBytes, ...rest } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const end = new AbortController();
  const stream = streamText({
    ...rest,
    model: withOutputBudget(model, maxOutputBytes),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    abortSignal: AbortSignal.any([io.signal, timeout, end.signal]),
    // Telemetry integrations that the process registered see calls, but no messages.
    telemetry: { recordInputs: false, recordOutputs: false },
    // Errors come through the stream; the default prints them.
    onError: () => undefined,
  });
  const reader = new TurnReader(io, callIds(request.messages));
  try {
    for await (const part of stream.fullStream) {
      if (part.type === 'abort') break;
      reader.take(part);
    }
  } finally {
    // Aborting closes the connection when reading stops early.
    end.abort();
  }
  io.signal.throwIfAborted();
  timeout.throwIfAborted();
  return reader.turn();
}

/** The ids of the calls in earlier turns. */
const callIds = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : [])) : [],
  );

/** Reasoning or texts of a turn by id. */
type Pieces = Map<string, { text: string; metadata?: Metadata }>;

/** Collects a model's turn from its stream. */
class TurnReader {
  readonly #io: { onText(delta: string): void };
  readonly #usedIds: Set<string>;
  readonly #thoughts: Pieces = new Map();
  readonly #texts: Pieces = new Map();
  readonly #order: TurnPart[] = [];
  readonly #calls: (ModelCall & { metadata?: Metadata })[] = [];
  #text = '';
  /** The finish reason of a turn that violates the tool choice; its `finish` part reports only the violation. */
  #ownReason: string | undefined;
  #finishReason = 'other';
  #usage: PlanUsage = {};

  constructor(io: { onText(delta: string): void }, usedIds: Iterable<string>) {
    this.#io = io;
    this.#usedIds = new Set(['', ...usedIds]);
  }

  /** @throws the error that ended the turn early */
  take(part: TextStreamPart<ToolSet>): void {
    if (part.type === 'error') this.#takeChoiceViolation(part.error);
    if (part.type === 'text-delta') {
      this.#text += part.text;
      this.#io.onText(part.text);
    }
    if (part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end')
      this.#gather('text', part);
    if (part.type === 'reasoning-start' || part.type === 'reasoning-delta' || part.type === 'reasoning-end')
      this.#gather('thought', part);
    if (part.type === 'tool-call') this.#add(readCall(part));
    if (part.type === 'finish') {
      this.#finishReason = this.#ownReason ?? part.finishReason;
      this.#usage = counts(part.totalUsage);
    }
  }

  #gather(kind: 'thought' | 'text', part: { id: string; text?: string; providerMetadata?: unknown }): void {
    const pieces = kind === 'text' ? this.#texts : this.#thoughts;
    const before = pieces.get(part.id);
    if (!before) this.#order.push(kind);
    const text = (before?.text ?? '') + (part.text ?? '');
    pieces.set(part.id, { ...before, text, ...jsonMetadata(part.providerMetadata) });
  }

  /** Some services ignore the tool choice. Such a turn is complete, and the planning rules judge it. */
  #takeChoiceViolation(error: unknown): void {
    if (!ToolChoiceViolationError.isInstance(error)) throw error;
    this.#ownReason = error.finishReason;
    if (this.#calls.length > 0) return;
    // Calls despite `none` are only in the error.
    for (const part of error.content) {
      if (part.type !== 'tool-call') continue;
      this.#add(readCall({ ...part, input: parsedInput(part.input) }));
    }
  }

  /** Services that give two calls of a conversation the same id, or none, refuse those ids when they are sent back. */
  #add(call: ModelCall & { metadata?: Metadata }): void {
    const id = this.#usedIds.has(call.id) ? generateId() : call.id;
    this.#usedIds.add(id);
    this.#calls.push({ ...call, id });
    this.#order.push('call');
  }

  /**
   * Services require reasoning at its original place in a turn, and OpenAI also the message that followed it. A turn
   * without reasoning or without calls needs neither.
   */
  #said(): Pick<TurnState, 'texts' | 'order'> {
    if (this.#thoughts.size === 0 || this.#calls.length === 0) return { texts: [{ text: this.#text }] };
    return { texts: [...this.#texts.values()], order: this.#order };
  }

  /** @throws when there is no answer */
  turn(): ModelTurn {
    const [text, calls, finishReason] = [this.#text, this.#calls, this.#finishReason];
    if (finishReason === 'other' && calls.length === 0 && text === '')
      throw new Error('The stream ended without an answer.');
    const state: TurnState = {
      calls: calls.map(({ id, name, args: input = {}, metadata }) => ({
        id,
        name: validName(name),
        input,
        ...(metadata ? { metadata } : {}),
      })),
      reasoning: [...this.#thoughts.values()],
      ...this.#said(),
    };
    return { text, calls, finishReason, usage: this.#usage, state };
  }
}

function parsedInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    // Reported to the model as invalid arguments.
    return input;
  }
}

function readCall(part: {
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerMetadata?: unknown;
}): ModelCall & { metadata?: Metadata } {
  const { toolCallId: id, toolName: name, input } = part;
  const raw = typeof input === 'string' ? input : JSON.stringify(input ?? null);
  return {
    id,
    name,
    raw,
    ...(isJsonObject(input) ? { args: input } : {}),
    ...jsonMetadata(part.providerMetadata),
  };
}
