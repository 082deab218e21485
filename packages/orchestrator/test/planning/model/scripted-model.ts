import type { JsonObject } from '@svc/contracts';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;
type Finish = Extract<StreamPart, { type: 'finish' }>;

/** One turn of a scripted model. */
export interface ScriptedTurn {
  readonly text?: readonly string[];
  /** The provider metadata of the text. */
  readonly textSignature?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { name: string; args: JsonObject | string; signature?: string }[];
  readonly finish?: Finish['finishReason']['unified'];
  /** Ends the stream with this error after the output. */
  readonly error?: unknown;
  /** Fails before the stream begins. */
  readonly refuse?: Error;
}

const usage: Finish['usage'] = {
  inputTokens: { total: 100, noCache: 90, cacheRead: 10, cacheWrite: 0 },
  outputTokens: { total: 20, text: 15, reasoning: 5 },
};

let callNumber = 0;

function partsOf({
  text = [],
  textSignature,
  reasoning,
  calls = [],
  finish,
  error,
}: ScriptedTurn): StreamPart[] {
  const thoughts: StreamPart[] =
    reasoning === undefined
      ? []
      : [
          { type: 'reasoning-start', id: 'r1' },
          { type: 'reasoning-delta', id: 'r1', delta: reasoning },
          {
            type: 'reasoning-end',
            id: 'r1',
            providerMetadata: { mock: { signature: `signed ${reasoning}` } },
          },
        ];
  const said: StreamPart[] =
    text.length === 0
      ? []
      : [
          { type: 'text-start', id: 't1' },
          ...text.map((delta): StreamPart => ({ type: 'text-delta', id: 't1', delta })),
          {
            type: 'text-end',
            id: 't1',
            ...(textSignature === undefined
              ? {}
              : { providerMetadata: { mock: { signature: textSignature } } }),
          },
        ];
  const made = calls.map(({ name, args, signature }): StreamPart => ({
    type: 'tool-call',
    toolCallId: `model-call-${(callNumber += 1)}`,
    toolName: name,
    input: typeof args === 'string' ? args : JSON.stringify(args),
    ...(signature === undefined ? {} : { providerMetadata: { mock: { signature } } }),
  }));
  const unified = finish ?? (calls.length > 0 ? 'tool-calls' : 'stop');
  const end: StreamPart =
    error === undefined
      ? { type: 'finish', finishReason: { unified, raw: unified }, usage }
      : { type: 'error', error };
  return [{ type: 'stream-start', warnings: [] }, ...thoughts, ...said, ...made, end];
}

/** A model that takes its turns from a script and records its calls. It fails when the script runs out. */
export function scriptedModel(turns: readonly ScriptedTurn[]): MockLanguageModelV4 {
  const left = [...turns];
  return new MockLanguageModelV4({
    doStream: async () => {
      const turn = left.shift();
      if (!turn) throw new Error('The script has no more turns.');
      if (turn.refuse) throw turn.refuse;
      return { stream: convertArrayToReadableStream(partsOf(turn)) };
    },
  });
}
