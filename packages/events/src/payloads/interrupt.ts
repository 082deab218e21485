import { APP_EVENT_CONTRACT_VERSION, INTERRUPT_REQUIRED_EVENT_NAME } from '@svc/contracts';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readInteger, readList, readRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';

/** The fields of an `interrupt_required` event. */
export interface InterruptRequiredArguments {
  /** The id of the question. */
  interruptId: string;
  /** The name under which the answer is stored. */
  dataKey: string;
  /** The question, as shown. */
  prompt: string;
  /** The tool that needs the answer. */
  toolName?: string | null | undefined;
  /** The parameter that receives the answer. @default the data key */
  argName?: string | null | undefined;
  /** The checkpoint from which the run resumes. */
  checkpointId?: string | null | undefined;
  /** The waiting assignment. */
  assignmentId?: string | null | undefined;
  /** The position among the questions asked together, from 1. @default 1 */
  interruptNumber?: number | null | undefined;
  /** The number of questions asked together. @default 1 */
  totalInterrupts?: number | null | undefined;
  /** The kind of input, for example `text` or `choice`. @default 'text' */
  inputType?: string | null | undefined;
  /** The choices; entries that are not strings become JSON, or `[object Object]` without any. @default [] */
  choices?: readonly unknown[] | null | undefined;
  /** When the question was asked, in ISO 8601. @default null */
  timestamp?: string | null | undefined;
}

/** Builds the payload of an `interrupt_required`: a question to a person. */
export function buildInterruptRequiredPayload(event: InterruptRequiredArguments) {
  const { interruptId, dataKey, prompt } = event;
  const argName = event.argName || dataKey;
  const number = event.interruptNumber || 1;
  const total = event.totalInterrupts || 1;
  const inputType = event.inputType || 'text';
  const choices = (readList(event.choices) ?? []).map(choiceText);
  return {
    interrupt_id: interruptId,
    checkpoint_id: event.checkpointId ?? '',
    data_key: dataKey,
    prompt,
    tool_name: event.toolName ?? '',
    arg_name: argName,
    assignment_id: event.assignmentId ?? '',
    assignment_index: 0,
    interrupt_number: number,
    total_interrupts: total,
    input_type: inputType,
    choices,
    timestamp: event.timestamp ?? null,
    interrupt: {
      id: interruptId,
      checkpoint_id: event.checkpointId || null,
      assignment_id: event.assignmentId || null,
      data_key: dataKey,
      arg_name: argName,
      prompt,
      tool_name: event.toolName || null,
      input_type: inputType,
      choices,
      number,
      total,
    },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: INTERRUPT_REQUIRED_EVENT_NAME,
    event_kind: 'interrupt' as const,
  };
}

function choiceText(choice: unknown): string {
  if (typeof choice === 'string') return choice;
  try {
    return typeof choice === 'bigint' ? String(choice) : (JSON.stringify(choice) ?? String(choice));
  } catch {
    // It is circular, too deep, or throws when read, so even its own text might throw.
    return '[object Object]';
  }
}

/** Rebuilds an external `interrupt_required`. */
export function rebuildInterruptRequired(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.interrupt);
  const text = (flatKey: string, nestedKey = flatKey) =>
    readCleanText(input[flatKey]) ?? readCleanText(nested?.[nestedKey]);
  const built = buildInterruptRequiredPayload({
    interruptId: text('interrupt_id', 'id') ?? 'interrupt',
    dataKey: text('data_key') ?? 'input',
    prompt: text('prompt') ?? 'Input required.',
    toolName: text('tool_name'),
    argName: text('arg_name'),
    checkpointId: text('checkpoint_id'),
    assignmentId: text('assignment_id'),
    interruptNumber: readInteger(input.interrupt_number) ?? readInteger(nested?.number),
    totalInterrupts: readInteger(input.total_interrupts) ?? readInteger(nested?.total),
    inputType: text('input_type'),
    choices: readList(input.choices) ?? readList(nested?.choices),
    timestamp: readCleanText(input.timestamp),
  });
  return keepExtras(built, input);
}
