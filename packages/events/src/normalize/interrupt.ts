import type { AppEvent } from '@svc/contracts';
import { buildInterruptRequiredPayload } from '../payloads/interrupt.js';
import { readCleanText, readInteger, readList } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizeContext } from './context.js';

/** A question to a person. It is always told of, be it with defaults: the run waits for the answer. */
export function normalizeInterruptRequired(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = (key: string) => readCleanText(payload[key]);
  return [
    buildInterruptRequiredPayload({
      interruptId: text('interrupt_id') ?? context.state.createId(),
      dataKey: text('data_key') ?? 'input',
      prompt: text('prompt') ?? 'Input required.',
      toolName: text('tool_name') ?? null,
      argName: text('arg_name') ?? null,
      checkpointId: text('checkpoint_id') ?? null,
      assignmentId: text('assignment_id') ?? null,
      interruptNumber: readInteger(payload.interrupt_number) ?? null,
      totalInterrupts: readInteger(payload.total_interrupts) ?? null,
      inputType: text('input_type') ?? null,
      choices: readList(payload.choices) ?? null,
      timestamp: text('timestamp') ?? null,
    }),
  ];
}
