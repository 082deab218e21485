import type { AppEvent } from '@svc/contracts';
import { buildInterruptRequiredPayload } from '../payloads/interrupt.js';
import { readCleanText, readInteger, readList } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizeContext } from './context.js';

/** Normalizes a question to a person. Missing fields get defaults instead of dropping it, because the run waits for it. */
export function normalizeInterruptRequired(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = (key: string) => readCleanText(payload[key]);
  return [
    buildInterruptRequiredPayload({
      interruptId: text('interrupt_id') ?? context.state.createId(),
      dataKey: text('data_key') ?? 'input',
      prompt: text('prompt') ?? 'Input required.',
      toolName: text('tool_name'),
      argName: text('arg_name'),
      checkpointId: text('checkpoint_id'),
      assignmentId: text('assignment_id'),
      interruptNumber: readInteger(payload.interrupt_number),
      totalInterrupts: readInteger(payload.total_interrupts),
      inputType: text('input_type'),
      choices: readList(payload.choices),
      timestamp: text('timestamp'),
    }),
  ];
}
