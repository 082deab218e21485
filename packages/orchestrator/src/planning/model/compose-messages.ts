import type { JsonObject } from '@svc/contracts';
import type { ModelMessage } from 'ai';
import { cutText } from '../../cut-text.js';
import { isTextType, utf8Text } from '../../file-text.js';
import type {
  PlanAttachment,
  PlanContext,
  PlanMessage,
  RecordedAskStep,
  RecordedCallStep,
  RecordedStep,
} from '../plan-context.js';
import type { FinishStep } from '../plan-step.js';
import { memoryMessages } from './memory-message.js';
import { MAX_RESULT_LENGTH, mutable, showResults, type ToolOutput } from './show-results.js';
import { ASK_TOOL_NAME, type ToolNames } from './tool-names.js';
import { readTurnState, type TurnPart, type TurnState } from './turn-state.js';

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number];
type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number];

/** Services reject blank texts. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** The files that models of all services take, as far as they take such files at all. */
const sentTypes = /^(?:image\/(?:png|jpeg|gif|webp)|audio\/[\w.+-]+|application\/pdf)$/;

/** More base64 digits, with line breaks, than the shown characters of a file can have. */
const maxDigits = 6 * MAX_RESULT_LENGTH;

/** The text of a file or, of a long one, at least the part that is shown; undefined if it is no text. */
function fileText({ mime_type, text, content_base64 }: PlanAttachment): string | undefined {
  if (text !== undefined || content_base64 === undefined || !isTextType(mime_type)) return text;
  const bytes = Buffer.from(content_base64.slice(0, maxDigits), 'base64');
  return utf8Text(bytes, { isWhole: content_base64.length <= maxDigits });
}

function attachmentPart(file: PlanAttachment): UserPart {
  const { name, mime_type, content_base64 } = file;
  const text = fileText(file);
  if (text !== undefined) {
    const shown = cutText(text, MAX_RESULT_LENGTH);
    return { type: 'text', text: `[${name}]\n${shown}${shown === text ? '' : '… (the rest is not shown)'}` };
  }
  if (content_base64 !== undefined && sentTypes.test(mime_type))
    return { type: 'file', data: content_base64, mediaType: mime_type, filename: name };
  return { type: 'text', text: `[attachment ${name}, ${mime_type}]` };
}

function conversationMessage(message: PlanMessage): ModelMessage[] {
  const { role, content, attachments = [] } = message;
  if (role === 'system') return [];
  if (role === 'assistant') return isBlank(content) ? [] : [{ role, content }];
  const text = role === 'tool' ? `[result of an earlier tool call]\n${content}` : content;
  if (attachments.length === 0) return [{ role: 'user', content: isBlank(text) ? '(no text)' : text }];
  const said: UserPart[] = isBlank(text) ? [] : [{ type: 'text', text }];
  return [{ role: 'user', content: [...said, ...attachments.map(attachmentPart)] }];
}

/** The reasoning of a turn as the model returned it: some services refuse the turn's calls without it. */
const reasoningParts = ({ reasoning }: TurnState): AssistantPart[] =>
  reasoning.map(({ text, metadata }) => ({
    type: 'reasoning',
    text,
    ...(metadata ? { providerOptions: metadata } : {}),
  }));

const textParts = (
  step: string | undefined,
  { texts = [{ text: step ?? '' }] }: TurnState,
): AssistantPart[][] =>
  texts.map(({ text, metadata }) =>
    isBlank(text) ? [] : [{ type: 'text', text, ...(metadata ? { providerOptions: metadata } : {}) }],
  );

/** A call as a model made it, and the output it is shown. */
export interface ShownCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: ToolOutput;
  readonly fallbackId: string;
}

/**
 * A model turn with its calls, in their original order, and their results. Calls that the rules added come before its
 * own, without provider metadata.
 */
export function callMessages(
  calls: readonly ShownCall[],
  text: string | undefined,
  state: TurnState,
): ModelMessage[] {
  const added = Math.max(0, calls.length - state.calls.length);
  const shown = calls.map((call, index) => {
    const note = state.calls[index - added];
    return { ...call, id: note?.id ?? call.fallbackId, metadata: note?.metadata };
  });
  const toolCalls = shown.map(({ id, name, input, metadata }): AssistantPart => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
    ...(metadata ? { providerOptions: metadata } : {}),
  }));
  const left: Record<TurnPart, AssistantPart[][]> = {
    thought: reasoningParts(state).map((part) => [part]),
    text: textParts(text, state),
    call: [toolCalls.slice(0, added + 1), ...toolCalls.slice(added + 1).map((part) => [part])],
  };
  const first = (state.order ?? []).flatMap((kind) => left[kind].shift() ?? []);
  return [
    { role: 'assistant', content: [...first, ...[left.thought, left.text, left.call].flat(2)] },
    {
      role: 'tool',
      content: shown.map(({ id, name, output }): ToolPart => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output,
      })),
    },
  ];
}

/** The names of tools and the outputs of their calls, as shown to the model. */
interface ShownCalls {
  readonly names: ToolNames;
  readonly outputOf: ReturnType<typeof showResults>;
}

const callStepMessages = (step: RecordedCallStep, { names, outputOf }: ShownCalls): ModelMessage[] =>
  callMessages(
    step.calls.map((call) => ({
      name: names.nameOf(call.tool_id),
      input: call.args,
      output: outputOf(call),
      fallbackId: call.call_id,
    })),
    step.text,
    readTurnState(step.state),
  );

function askMessages({ questions, answers, state }: RecordedAskStep, number: number): ModelMessage[] {
  const shown = questions.map(({ prompt, input_type, choices }) => ({
    prompt,
    input_type,
    ...(choices ? { choices: [...choices] } : {}),
  }));
  const replies = questions.map(({ question_id, prompt }) => ({
    prompt,
    answer: answers[question_id] ?? null,
  }));
  const call = {
    name: ASK_TOOL_NAME,
    input: { questions: shown },
    output: {
      type: 'json',
      value: mutable({ answers: replies, note: 'null means that the person declined' }),
    } as const,
    fallbackId: `ask-${number}`,
  };
  return callMessages([call], undefined, readTurnState(state));
}

const refusedAnswerMessages = (step: FinishStep, problems: readonly string[]): ModelMessage[] => [
  { role: 'assistant', content: isBlank(step.text) ? '(no answer)' : step.text },
  { role: 'user', content: `[planning rules] This answer cannot be accepted yet:\n${problems.join('\n')}` },
];

/** The outputs of calls that were not run: the first contains the problem, the others refer to it. */
export const notRun =
  (problem: string) =>
  <Call>(call: Call, index: number): Call & { output: ToolOutput } => ({
    ...call,
    output: { type: 'error-text', value: `Not run. ${index === 0 ? problem : 'See the first call.'}` },
  });

/** A refused step and its problems, so that the model tries again. */
function feedbackMessages(
  step: Extract<RecordedStep, { type: 'feedback' }>,
  number: number,
  names: ToolNames,
): ModelMessage[] {
  const { rejected } = step;
  const problems = step.problems.map((problem) => names.inText(problem));
  if (rejected.type === 'finish') return refusedAnswerMessages(rejected, problems);
  const calls =
    rejected.type === 'call'
      ? rejected.calls.map(({ tool_id, args }) => ({ name: names.nameOf(tool_id), input: args }))
      : [{ name: ASK_TOOL_NAME, input: { questions: rejected.questions.map(({ prompt }) => ({ prompt })) } }];
  const shown = calls.map((call, index) => ({ ...call, fallbackId: `refused-${number}-${index}` }));
  return callMessages(
    shown.map(notRun(problems.join(' '))),
    rejected.type === 'call' ? rejected.text : undefined,
    readTurnState(rejected.state),
  );
}

function stepMessages(step: RecordedStep, number: number, shown: ShownCalls): ModelMessage[] {
  if (step.type === 'call') return callStepMessages(step, shown);
  return step.type === 'ask' ? askMessages(step, number) : feedbackMessages(step, number, shown.names);
}

/** The conversation of a run as a model sees it: the thread, memory, the request, and every step with its results. */
export function composeMessages(context: PlanContext, names: ToolNames): ModelMessage[] {
  const { messages, turn_start, steps } = context;
  const shown = { names, outputOf: showResults(steps) };
  return [
    ...messages.slice(0, turn_start).flatMap(conversationMessage),
    ...memoryMessages(context),
    ...messages.slice(turn_start).flatMap(conversationMessage),
    ...steps.flatMap((step, index) => stepMessages(step, index, shown)),
  ];
}
