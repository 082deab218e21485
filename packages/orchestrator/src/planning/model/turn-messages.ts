import type { ModelMessage } from 'ai';
import type { ToolOutput } from './show-results.js';
import type { TurnCall, TurnPart, TurnState } from './turn-state.js';

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number];

/** Services reject blank texts. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** What the planning rules tell the model. */
export const ruleMessage = (text: string): ModelMessage => ({
  role: 'user',
  content: `[planning rules] ${text}`,
});

type Metadata = { readonly metadata?: TurnCall['metadata'] };
const optionsOf = ({ metadata }: Metadata) => (metadata ? { providerOptions: metadata } : {});

const textPart = (said: TurnState['texts'][number]): AssistantPart[] =>
  isBlank(said.text) ? [] : [{ type: 'text', text: said.text, ...optionsOf(said) }];

/** The parts of a turn in their original order. */
function partsOf({ calls, reasoning, texts, order = [] }: TurnState): AssistantPart[] {
  const left: Record<TurnPart, AssistantPart[][]> = {
    // Some services refuse the calls of a turn without its reasoning.
    thought: reasoning.map((thought) => [{ type: 'reasoning', text: thought.text, ...optionsOf(thought) }]),
    text: texts.map(textPart),
    call: calls.map((call) => [
      {
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: call.input,
        ...optionsOf(call),
      },
    ]),
  };
  const first = order.flatMap((kind) => left[kind].shift() ?? []);
  return [...first, ...[left.thought, left.text, left.call].flat(2)];
}

/** A turn as the model made it, and one output for each of its calls. Reasoning is left out of a turn without calls. */
export function turnMessages(
  turn: TurnState,
  outputOf: (call: TurnCall, index: number) => ToolOutput,
): ModelMessage[] {
  const { calls, texts } = turn;
  if (calls.length === 0) {
    const content = texts.map(({ text }) => text).join('');
    return isBlank(content) ? [] : [{ role: 'assistant', content }];
  }
  return [
    { role: 'assistant', content: partsOf(turn) },
    {
      role: 'tool',
      content: calls.map((call, index): ToolPart => ({
        type: 'tool-result',
        toolCallId: call.id,
        toolName: call.name,
        output: outputOf(call, index),
      })),
    },
  ];
}

/** The outputs of calls that were not run: the first contains the problem, the others refer to it. */
export const notRun =
  (problem: string) =>
  (_call: TurnCall, index: number): ToolOutput => ({
    type: 'error-text',
    value: `Not run. ${index === 0 ? problem : 'See the first call.'}`,
  });
