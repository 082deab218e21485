import * as z from 'zod';
import { anything, decimal, field, integer, object, objectOrEmpty, text, textsOrEmpty } from './tolerant.js';

// The types are interfaces, so that editors and messages of the compiler show their names and not all of their fields.

/** What the event belongs to. */
export const ScopeDescriptorSchema = z.looseObject({
  id: text.describe('Stable id of the scope'),
  name: text.describe('Display name of the agent or swarm'),
  type: text.describe('agent, swarm or session'),
});
/** What the event belongs to. */
export interface ScopeDescriptor extends z.infer<typeof ScopeDescriptorSchema> {}

/** Who speaks or acts, as the application names it. */
export const ParticipantDescriptorSchema = z.looseObject({
  key: text.describe('Id of the participant in the application'),
  name: text.describe('Display name'),
  role: text.describe('Role, such as assistant'),
});
/** Who speaks or acts, as the application names it. */
export interface ParticipantDescriptor extends z.infer<typeof ParticipantDescriptorSchema> {}

/** Where in its life the subject of the event is. */
export const LifecycleDescriptorSchema = z.looseObject({
  phase: text.describe('The status of the subject, such as executing or completed'),
  parent_id: text.describe('Id of what this is a part of'),
  root_id: text.describe('Id of the outermost thing this is a part of'),
  run_id: text.describe('Id of the run'),
  turn_id: text.describe('Id of the turn'),
});
/** Where in its life the subject of the event is. */
export interface LifecycleDescriptor extends z.infer<typeof LifecycleDescriptorSchema> {}

/** How far a call is, as its tool counts it. */
const progress = z.looseObject({
  progress: z.number().describe('Grows from one event to the next'),
  total: z.number().optional().describe('What progress comes to at the end, where that is known'),
  message: z.string().optional().describe('The same in words'),
});

/** One invocation of a tool. Its id is the same from start to end. */
export const ToolDescriptorSchema = z.looseObject({
  id: text.describe('Id of the invocation; key the card of the tool by it'),
  tool_id: text.describe('The same value as id; id wins when they differ'),
  name: text.describe('Display name of the tool'),
  type: text.describe('func, agent, mcp, model or system; open list'),
  status: text.describe('executing, completed or failed; open list'),
  args: objectOrEmpty.describe('The arguments; null is read as no arguments'),
  result: anything.describe('The result, when completed'),
  error: text.describe('What went wrong, when failed'),
  elapsed_ms: integer.describe('How long the call took, in milliseconds, when it has ended'),
  progress: field(progress).describe('How far the call is, while it runs and the tool tells'),
});
/** One invocation of a tool. Its id is the same from start to end. */
export interface ToolDescriptor extends z.infer<typeof ToolDescriptorSchema> {}

/** The assistant's text. */
export const AssistantDescriptorSchema = z.looseObject({
  id: text.describe('Id of the assistant whose text this is'),
  delta: text.describe('The text to append'),
  replace_content: field(z.boolean()).describe(
    'True when the delta replaces all earlier text of the assistant',
  ),
});
/** The assistant's text. */
export interface AssistantDescriptor extends z.infer<typeof AssistantDescriptorSchema> {}

/** One assignment of a swarm member. Its id is the same from start to end. */
export const AssignmentDescriptorSchema = z.looseObject({
  id: text.describe('Id of the assignment; key the card of the member by it'),
  assignment_id: text.describe('The same value as id; id wins when they differ'),
  agent_name: text.describe('Name of the member'),
  status: text.describe('received, in_progress, completed or failed; open list'),
  task: text.describe('What the member was asked to do'),
  swarm_name: text.describe('Name of the swarm'),
  result: anything.describe('The result, when completed'),
  error: text.describe('What went wrong, when failed'),
});
/** One assignment of a swarm member. Its id is the same from start to end. */
export interface AssignmentDescriptor extends z.infer<typeof AssignmentDescriptorSchema> {}

/** A phase the run entered. */
export const EnrichmentDescriptorSchema = z.looseObject({
  phase: text.describe('Name of the phase; open list'),
  message: text.describe('The phase in words'),
  memory: object.describe('Figures about memory, in memory phases'),
  redaction: object.describe('Figures about redaction, in redaction phases'),
});
/** A phase the run entered. */
export interface EnrichmentDescriptor extends z.infer<typeof EnrichmentDescriptorSchema> {}

/** A question that the run waits on. */
export const InterruptDescriptorSchema = z.looseObject({
  id: text.describe('Id of the question; the answer names it'),
  checkpoint_id: text.describe('Id of the checkpoint the run continues from'),
  assignment_id: text.describe('Id of the tool invocation or assignment that asks'),
  data_key: text.describe('The name under which the answer is kept'),
  arg_name: text.describe('The argument that the answer fills'),
  prompt: text.describe('The question'),
  tool_name: text.describe('The tool that asks'),
  input_type: text.describe('Kind of input, such as text, choice or boolean; open list'),
  choices: textsOrEmpty.describe('The answers to choose from; null is read as none'),
  number: integer.describe('Which question of this call, from 1'),
  total: integer.describe('How many questions this call has'),
});
/** A question that the run waits on. */
export interface InterruptDescriptor extends z.infer<typeof InterruptDescriptorSchema> {}

/** What the turn answered. */
export const OutputDescriptorSchema = z.looseObject({
  response: text.describe('The whole answer'),
  result: anything.describe('The structured result'),
  token_usage: object.describe('Tokens used, by kind'),
});
/** What the turn answered. */
export interface OutputDescriptor extends z.infer<typeof OutputDescriptorSchema> {}

/** What went wrong. */
export const ErrorInfoDescriptorSchema = z.looseObject({
  message: text.describe('What went wrong'),
  details: objectOrEmpty.describe('Facts about it; null is read as none, and browsers get none'),
});
/** What went wrong. */
export interface ErrorInfoDescriptor extends z.infer<typeof ErrorInfoDescriptorSchema> {}

/** The session that began or ended. */
export const SessionDescriptorSchema = z.looseObject({
  id: text.describe('Id of the session'),
  assistant_id: text.describe('Id of the assistant that answers in it'),
});
/** The session that began or ended. */
export interface SessionDescriptor extends z.infer<typeof SessionDescriptorSchema> {}

/** A sign of life of a system tool. */
export const ChunkDescriptorSchema = z.looseObject({
  text: text.describe('What the tool is doing'),
  progress: decimal.describe('How far it is, as the tool counts it'),
});
/** A sign of life of a system tool. */
export interface ChunkDescriptor extends z.infer<typeof ChunkDescriptorSchema> {}

/** One run of a developer's before or after callback. A hook never aborts the work. */
export const HookDescriptorSchema = z.looseObject({
  name: text.describe('Name of the callback'),
  stage: text.describe('before or after'),
  status: text.describe('completed or failed'),
  error: text.describe('What went wrong, when failed'),
  elapsed_ms: integer.describe('How long the callback ran, in milliseconds'),
  target_type: text.describe('tool, agent or swarm'),
  target_id: text.describe('Id of the tool invocation, agent or swarm'),
  target_name: text.describe('Display name of the target'),
  source: text.describe('Who registered the callback: tool, scope or swarm'),
});
/** One run of a developer's before or after callback. A hook never aborts the work. */
export interface HookDescriptor extends z.infer<typeof HookDescriptorSchema> {}

/** The line of a `status_message`. In other families `status` is a flat text, so it is not a field of every event. */
export const StatusDescriptorSchema = z.looseObject({
  message: text.describe('The line to show'),
});
/** The line of a `status_message`. In other families `status` is a flat text, so it is not a field of every event. */
export interface StatusDescriptor extends z.infer<typeof StatusDescriptorSchema> {}
