import * as z from 'zod';
import { InterruptDescriptorSchema } from '../descriptors.js';
import { integer, text, textsOrEmpty } from '../tolerant.js';
import { stamps } from './stamps.js';

/** `interrupt_required`: the run waits for an answer. Absent flat strings are empty, `null` in `interrupt`. */
export const InterruptRequiredPayloadSchema = z.looseObject({
  ...stamps('interrupt_required'),
  interrupt_id: z.string(),
  checkpoint_id: text,
  data_key: z.string(),
  prompt: z.string(),
  tool_name: text,
  arg_name: text,
  assignment_id: text,
  assignment_index: integer,
  interrupt_number: integer,
  total_interrupts: integer,
  input_type: text,
  choices: textsOrEmpty,
  timestamp: text,
  interrupt: InterruptDescriptorSchema,
});
/** `interrupt_required`: the run waits for an answer. Absent flat strings are empty, `null` in `interrupt`. */
export type InterruptRequiredPayload = z.infer<typeof InterruptRequiredPayloadSchema>;
