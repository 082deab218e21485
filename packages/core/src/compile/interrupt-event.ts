import { INTERRUPT_REQUIRED_EVENT_NAME } from '@svc/contracts/event-names';
import type { InterruptRequest } from '../interrupts/interrupt-service.js';
import { buildContractEvent, type StreamEvent } from './stream-event.js';

/**
 * Builds a complete v1 `interrupt_required` for a question of this process. `assignmentId` is the id of the waiting
 * call.
 */
export function buildInterruptEvent(
  request: InterruptRequest,
  assignmentId: string,
  now: number,
): StreamEvent {
  const toolName = request.toolName ?? null;
  const common = {
    data_key: request.dataKey,
    prompt: request.prompt,
    arg_name: request.argName,
    input_type: request.inputType,
    choices: [...request.choices],
  };
  return buildContractEvent(INTERRUPT_REQUIRED_EVENT_NAME, 'interrupt', {
    interrupt_id: request.interruptId,
    checkpoint_id: '',
    ...common,
    tool_name: toolName ?? '',
    assignment_id: assignmentId,
    assignment_index: 0,
    interrupt_number: 1,
    total_interrupts: 1,
    timestamp: new Date(now).toISOString(),
    expires_at: new Date(request.expiresAt).toISOString(),
    interrupt: {
      id: request.interruptId,
      checkpoint_id: null,
      assignment_id: assignmentId,
      ...common,
      tool_name: toolName,
      number: 1,
      total: 1,
    },
  });
}
