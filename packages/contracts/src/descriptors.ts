import * as z from 'zod';
import { anything, decimal, field, integer, object, objectOrEmpty, text, textsOrEmpty } from './tolerant.js';

// The types are interfaces, so that editors and compiler messages show their names and not all of their fields.

/** The agent, swarm or session that the event belongs to. */
export const ScopeDescriptorSchema = z.looseObject({
  id: text.describe('Stable id of the scope'),
  name: text.describe('Display name of the agent or swarm'),
  type: text.describe('agent, swarm or session'),
});
/** The agent, swarm or session that the event belongs to. */
export interface ScopeDescriptor extends z.infer<typeof ScopeDescriptorSchema> {}

/** Who speaks or acts, as named by the application. */
export const ParticipantDescriptorSchema = z.looseObject({
  key: text.describe('Id of the participant in the application'),
  name: text.describe('Display name'),
  role: text.describe('Role, such as assistant'),
});
/** Who speaks or acts, as named by the application. */
export interface ParticipantDescriptor extends z.infer<typeof ParticipantDescriptorSchema> {}

/** The lifecycle position of the event's subject. */
export const LifecycleDescriptorSchema = z.looseObject({
  phase: text.describe('Status of the subject, such as executing or completed'),
  parent_id: text.describe('Id of the parent'),
  root_id: text.describe('Id of the outermost ancestor'),
  run_id: text.describe('Id of the run'),
  turn_id: text.describe('Id of the turn'),
});
/** The lifecycle position of the event's subject. */
export interface LifecycleDescriptor extends z.infer<typeof LifecycleDescriptorSchema> {}

/** The progress of a call, in the tool's own units. */
const progress = z.looseObject({
  progress: z.number().describe('Increases with every event'),
  total: z.number().optional().describe('The final value of progress, if known'),
  message: z.string().optional().describe('The progress in words'),
});

/** One tool invocation. Its id stays the same from start to end. */
export const ToolDescriptorSchema = z.looseObject({
  id: text.describe('Id of the invocation; use it as the key of the tool card'),
  tool_id: text.describe('Same value as id; id wins if they differ'),
  name: text.describe('Display name of the tool'),
  type: text.describe('func, agent, mcp, model or system; open list'),
  status: text.describe('executing, completed, failed or cancelled; open list'),
  args: objectOrEmpty.describe('The arguments; null is read as an empty object'),
  result: anything.describe('The result, if completed'),
  error: text.describe('The error message, if failed'),
  elapsed_ms: integer.describe('How long the call took, in milliseconds; set when it has ended'),
  progress: field(progress).describe('The progress of a running call, if the tool reports it'),
});
/** One tool invocation. Its id stays the same from start to end. */
export interface ToolDescriptor extends z.infer<typeof ToolDescriptorSchema> {}

/** The assistant's text. */
export const AssistantDescriptorSchema = z.looseObject({
  id: text.describe('Id of the assistant that wrote the text'),
  delta: text.describe('The text to append'),
  replace_content: field(z.boolean()).describe(
    'True if the delta replaces all earlier text of the assistant',
  ),
});
/** The assistant's text. */
export interface AssistantDescriptor extends z.infer<typeof AssistantDescriptorSchema> {}

/** One assignment of a swarm member. Its id stays the same from start to end. */
export const AssignmentDescriptorSchema = z.looseObject({
  id: text.describe('Id of the assignment; use it as the key of the member card'),
  assignment_id: text.describe('Same value as id; id wins if they differ'),
  agent_name: text.describe('Name of the member'),
  status: text.describe('received, in_progress, completed or failed; open list'),
  task: text.describe('The task of the member'),
  swarm_name: text.describe('Name of the swarm'),
  result: anything.describe('The result, if completed'),
  error: text.describe('The error message, if failed'),
});
/** One assignment of a swarm member. Its id stays the same from start to end. */
export interface AssignmentDescriptor extends z.infer<typeof AssignmentDescriptorSchema> {}

/** A phase that the run entered. */
export const EnrichmentDescriptorSchema = z.looseObject({
  phase: text.describe('Name of the phase; open list'),
  message: text.describe('Description of the phase'),
  memory: object.describe('Memory statistics, in memory phases'),
  redaction: object.describe('Redaction statistics, in redaction phases'),
});
/** A phase that the run entered. */
export interface EnrichmentDescriptor extends z.infer<typeof EnrichmentDescriptorSchema> {}

/** A question that the run waits for an answer to. */
export const InterruptDescriptorSchema = z.looseObject({
  id: text.describe('Id of the question; the answer refers to it'),
  checkpoint_id: text.describe('Id of the checkpoint the run continues from'),
  assignment_id: text.describe('Id of the asking tool invocation or assignment'),
  data_key: text.describe('The name under which the answer is stored'),
  arg_name: text.describe('The argument filled by the answer'),
  prompt: text.describe('The question'),
  tool_name: text.describe('The asking tool'),
  input_type: text.describe('Kind of input, such as text, choice or boolean; open list'),
  choices: textsOrEmpty.describe('The answers to choose from; null is read as an empty array'),
  number: integer.describe('Number of the question within this call, from 1'),
  total: integer.describe('Number of questions in this call'),
});
/** A question that the run waits for an answer to. */
export interface InterruptDescriptor extends z.infer<typeof InterruptDescriptorSchema> {}

/** The answer of the turn. */
export const OutputDescriptorSchema = z.looseObject({
  response: text.describe('The whole answer'),
  result: anything.describe('The structured result'),
  token_usage: object.describe('Tokens used, by kind'),
});
/** The answer of the turn. */
export interface OutputDescriptor extends z.infer<typeof OutputDescriptorSchema> {}

/** The error that ended the turn. */
export const ErrorInfoDescriptorSchema = z.looseObject({
  message: text.describe('The error message'),
  details: objectOrEmpty.describe(
    'Facts about the error; null is read as an empty object. Never sent to browsers',
  ),
});
/** The error that ended the turn. */
export interface ErrorInfoDescriptor extends z.infer<typeof ErrorInfoDescriptorSchema> {}

/** The session that started or ended. */
export const SessionDescriptorSchema = z.looseObject({
  id: text.describe('Id of the session'),
  assistant_id: text.describe('Id of the assistant that answers in it'),
});
/** The session that started or ended. */
export interface SessionDescriptor extends z.infer<typeof SessionDescriptorSchema> {}

/** A progress report of a system tool. */
export const ChunkDescriptorSchema = z.looseObject({
  text: text.describe('What the tool is doing'),
  progress: decimal.describe("The progress, in the tool's own units"),
});
/** A progress report of a system tool. */
export interface ChunkDescriptor extends z.infer<typeof ChunkDescriptorSchema> {}

/** One call of a developer's before or after hook. A hook never aborts the work. */
export const HookDescriptorSchema = z.looseObject({
  name: text.describe('Name of the hook'),
  stage: text.describe('before or after'),
  status: text.describe('completed or failed'),
  error: text.describe('The error message, if failed'),
  elapsed_ms: integer.describe('How long the hook ran, in milliseconds'),
  target_type: text.describe('tool, agent or swarm'),
  target_id: text.describe('Id of the tool invocation, agent or swarm'),
  target_name: text.describe('Display name of the target'),
  source: text.describe('Where the hook was registered: tool, scope or swarm'),
});
/** One call of a developer's before or after hook. A hook never aborts the work. */
export interface HookDescriptor extends z.infer<typeof HookDescriptorSchema> {}

/** The status line of a `status_message`. In other events `status` is a string, so it is not a common field. */
export const StatusDescriptorSchema = z.looseObject({
  message: text.describe('The line to show'),
});
/** The status line of a `status_message`. In other events `status` is a string, so it is not a common field. */
export interface StatusDescriptor extends z.infer<typeof StatusDescriptorSchema> {}
