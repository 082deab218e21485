import * as z from 'zod';
import { AssignmentDescriptorSchema } from '../descriptors.js';
import { anything, text } from '../tolerant.js';
import { participantFields, stamps } from './stamps.js';

/** `agent_assignment`: a swarm member received, works on or finished an assignment. Use one card per `assignment.id`. */
export const AgentAssignmentPayloadSchema = z.looseObject({
  ...stamps('agent_assignment'),
  assignment_id: text,
  agent_name: z.string(),
  status: z.string(),
  task: text,
  swarm_name: text,
  result: anything,
  error: text,
  ...participantFields,
  assignment: AssignmentDescriptorSchema,
});
/** `agent_assignment`: a swarm member received, works on or finished an assignment. Use one card per `assignment.id`. */
export type AgentAssignmentPayload = z.infer<typeof AgentAssignmentPayloadSchema>;
