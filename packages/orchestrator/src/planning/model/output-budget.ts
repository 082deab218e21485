import { wrapLanguageModel, type LanguageModel, type LanguageModelMiddleware } from 'ai';
import { isTooDeep, MAX_JSON_DEPTH } from '../../json-depth.js';
import { PlannerError } from '../planner-error.js';
import { namedModel } from './model-keys.js';

type StreamOf = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'];
type StreamPart = StreamOf extends ReadableStream<infer Part> ? Part : never;

/** Limits the bytes that a model may write in one turn: text, reasoning and arguments together. */
class OutputBudget {
  readonly #maxBytes: number;
  /** Calls whose arguments were streamed; they arrive once more as a whole. */
  readonly #streamedCalls = new Set<string>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a part of the stream. @throws PlannerError `PLANNER_LENGTH` when the turn is too long */
  take(part: StreamPart): void {
    this.#bytes += Buffer.byteLength(this.#outputOf(part));
    if (this.#bytes > this.#maxBytes)
      throw new PlannerError(
        `The model’s answer is longer than ${this.#maxBytes} bytes. Ask for less, or raise maxOutputBytes.`,
        { code: 'PLANNER_LENGTH', details: { max_output_bytes: this.#maxBytes } },
      );
  }

  #outputOf(part: StreamPart): string {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.delta;
    if (part.type === 'tool-input-delta') {
      this.#streamedCalls.add(part.id);
      return part.delta;
    }
    return part.type !== 'tool-call' || this.#streamedCalls.has(part.toolCallId) ? '' : part.input;
  }
}

/** Arguments too deep for the AI SDK to copy are replaced, and reported to the model like malformed ones. */
function withoutDeepArguments(part: StreamPart): StreamPart {
  if (part.type !== 'tool-call' || !isDeepJson(part.input)) return part;
  return { ...part, input: `nested deeper than ${MAX_JSON_DEPTH} levels` };
}

function isDeepJson(text: string): boolean {
  try {
    return isTooDeep(JSON.parse(text));
  } catch {
    // The reader of the call reports the invalid JSON.
    return false;
  }
}

/**
 * Wraps a model so that turns longer than `maxBytes` fail with `PLANNER_LENGTH`. Output is counted as it arrives: the
 * AI SDK collects calls without limit, and passes none on when none are wanted.
 */
export function withOutputBudget(model: LanguageModel, maxBytes: number): LanguageModel {
  return wrapLanguageModel({
    model: namedModel(model),
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        const budget = new OutputBudget(maxBytes);
        const counted = new TransformStream<StreamPart, StreamPart>({
          transform(part, controller) {
            budget.take(part);
            controller.enqueue(withoutDeepArguments(part));
          },
        });
        return { ...rest, stream: stream.pipeThrough(counted) };
      },
    },
  });
}
