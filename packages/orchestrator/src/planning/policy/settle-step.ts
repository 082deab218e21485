import type { JsonObject } from '@svc/contracts';
import { cutText } from '../../cut-text.js';
import type { PlanContext, PlanTool } from '../plan-context.js';
import type { CallStep, FinishStep, PlanStep, PlannedCall, PlannedQuestion } from '../plan-step.js';
import { fillableProblems, schemaProblems } from './check-json.js';
import { placeArtifacts } from './compose-artifacts.js';
import { firstCalls, MAX_CALLS_PER_STEP } from './first-calls.js';
import { planLimits, type PlanLimits, type Requirement } from './plan-limits.js';
import { indexTools, plannedProducers, type ToolIndex } from './producer-graph.js';
import { hasSucceeded } from './run-record.js';

/** The maximum number of questions in one step. */
export const MAX_QUESTIONS_PER_STEP = 8;
/** The maximum number of ask steps in a run. */
const MAX_ASK_STEPS = 20;
/** The maximum number of characters shown of a name that a planner made up. */
const maxName = 100;

/** A planner's executable step, or its problems as sentences for the planner. */
export type SettledStep =
  | { readonly ok: true; readonly step: PlanStep }
  | { readonly ok: false; readonly problems: readonly string[] };

const refused = (problems: readonly string[]): SettledStep => ({ ok: false, problems });

const needsNoArguments = (tool: PlanTool) => tool.parameters.required.length === 0;

/**
 * Adds default arguments and, for a swarm's member, whether its answer is the swarm's and its final tool must make it.
 */
function completeCall(call: PlannedCall, tool: PlanTool, { constraints }: PlanContext): PlannedCall {
  const member = constraints.swarm?.members.find((each) => each.tool_id === tool.tool_id);
  const args: JsonObject = {
    ...tool.default_args,
    ...call.args,
    ...(member?.use_as_final_output ? { use_as_final_output: true } : {}),
    ...(member?.force_final_tool ? { force_final_tool: true } : {}),
  };
  return { tool_id: tool.tool_id, args };
}

/**
 * Producers that have not answered in this run and are not in this step: as calls when they need no arguments, else as
 * problems.
 */
function missingProducers(
  calls: readonly PlannedCall[],
  context: PlanContext,
  index: ToolIndex,
): { add: PlannedCall[]; problems: string[] } {
  const planned = new Set(calls.map((call) => call.tool_id));
  const add: PlannedCall[] = [];
  const problems: string[] = [];
  const visit = (toolId: string): void => {
    const tool = index.get(toolId);
    for (const producerId of tool ? plannedProducers(tool) : []) {
      const producer = index.get(producerId);
      if (!producer || planned.has(producerId) || hasSucceeded(producerId, context)) continue;
      if (needsNoArguments(producer)) {
        planned.add(producerId);
        add.push(completeCall({ tool_id: producerId, args: {} }, producer, context));
        visit(producerId);
      } else {
        problems.push(
          `"${tool?.name}" takes the result of "${producer.name}", which has not run. Call "${producer.name}" too, with its arguments.`,
        );
      }
    }
  };
  for (const call of calls) visit(call.tool_id);
  return { add, problems };
}

function callProblems(
  call: PlannedCall,
  tool: PlanTool | undefined,
  limits: PlanLimits,
  context: PlanContext,
): string[] {
  const systemTool = context.system_tools.find((each) => each.name === call.tool_id);
  if (systemTool)
    return schemaProblems(systemTool.parameters, call.args).map(
      (problem) => `"${systemTool.name}": ${problem}`,
    );
  if (tool && limits.callable.includes(tool))
    return fillableProblems(tool.parameters, call.args).map((problem) => `"${tool.name}": ${problem}`);
  // Separate sentences, so that the list of names appears only once for many calls.
  const callable = namesOf(limits.callable);
  return tool
    ? [`"${tool.name}" may not be called now.`, `Call one of: ${callable}; or answer.`]
    : [`There is no tool "${cutText(call.tool_id, maxName)}".`, `Call one of: ${callable}.`];
}

const namesOf = (tools: readonly PlanTool[]) =>
  tools.length === 0 ? '(none)' : tools.map((tool) => `"${tool.name}"`).join(', ');

/** A planner may name a tool by id or by name. */
const findTool = (call: PlannedCall, context: PlanContext) =>
  context.tools.find((tool) => tool.tool_id === call.tool_id) ??
  context.tools.find((tool) => tool.name === call.tool_id);

function settleCalls(step: CallStep, limits: PlanLimits, context: PlanContext): SettledStep {
  if (limits.must_finish) return refused([`${limits.must_finish} Answer with what is known.`]);
  if (step.calls.length === 0) return refused(['A call step needs at least one call.']);
  if (step.calls.length > MAX_CALLS_PER_STEP)
    return refused([
      `${step.calls.length} calls are too many for one step; plan at most ${MAX_CALLS_PER_STEP}.`,
    ]);
  const placed = step.calls.map((call) => {
    const tool = findTool(call, context);
    return tool
      ? placeArtifacts(completeCall(call, tool, context), tool, context)
      : { call, problems: [], questions: [] };
  });
  const calls = placed.map(({ call }) => call);
  const problems = [
    ...placed.flatMap((each) => each.problems),
    ...calls.flatMap((call) => callProblems(call, findTool(call, context), limits, context)),
  ];
  const index = indexTools(context.tools);
  const producers = missingProducers(calls, context, index);
  const all = [...problems, ...producers.problems];
  if (all.length > 0) return refused([...new Set(all)]);
  // Two calls may need the approval of one text; it is asked for once.
  const questions = new Map(placed.flatMap((each) => each.questions).map((each) => [each.question_id, each]));
  // The planner repeats its calls once the user has approved.
  if (questions.size > 0) return { ok: true, step: { type: 'ask', questions: [...questions.values()] } };
  return { ok: true, step: { ...step, calls: [...producers.add, ...calls] } };
}

function questionProblems(question: PlannedQuestion): string[] {
  if (question.prompt.trim() === '') return ['A question needs a prompt.'];
  if (question.input_type === 'choice' && !question.choices?.length)
    return [`The question "${question.prompt}" is a choice without choices.`];
  return [];
}

const requirementText: Readonly<Record<Requirement['reason'], string>> = {
  always_execute: 'always runs in every turn',
  final_tool: 'makes the result',
  targeted: 'was asked for by the caller',
  declared_graph: 'is part of the declared graph',
  final_member: 'gives the final answer',
};

/** Turns required tools into calls when they need no arguments; otherwise the planner has to call them. */
function settleFinish(step: FinishStep, limits: PlanLimits, context: PlanContext): SettledStep {
  const index = indexTools(context.tools);
  const missing = step.blocked ? [] : limits.required;
  const canRun = missing.filter(({ tool_id }) => {
    const tool = index.get(tool_id);
    return tool && needsNoArguments(tool);
  });
  if (canRun.length > 0) {
    const calls = canRun.map(({ tool_id }) => ({ tool_id, args: {} }));
    const settled = settleCalls({ type: 'call', calls: firstCalls(calls, context.tools) }, limits, context);
    if (settled.ok) return settled;
  }
  if (missing.length > 0)
    return refused(
      missing.map(
        ({ tool_id, reason }) =>
          `"${index.get(tool_id)?.name ?? tool_id}" ${requirementText[reason]} and has not run: call it before you answer.`,
      ),
    );
  return { ok: true, step };
}

/**
 * Makes a planner's step executable or says what is wrong with it. Finds tools by id or name, adds default arguments
 * and producers without arguments, checks arguments against their schemas, refuses tools the rules forbid, and turns a
 * premature answer into the missing calls or a refusal.
 */
export function settleStep(step: PlanStep, context: PlanContext): SettledStep {
  const limits = planLimits(context);
  if (step.type === 'call') return settleCalls(step, limits, context);
  if (step.type === 'finish') return settleFinish(step, limits, context);
  const problems = step.questions.flatMap(questionProblems);
  if (step.questions.length === 0) return refused(['An ask step needs at least one question.']);
  if (step.questions.length > MAX_QUESTIONS_PER_STEP)
    return refused([`Ask at most ${MAX_QUESTIONS_PER_STEP} questions at once.`]);
  if (context.steps.filter(({ type }) => type === 'ask').length >= MAX_ASK_STEPS)
    return refused([`The user was asked ${MAX_ASK_STEPS} times. Continue with what is known, or answer.`]);
  // Answers are returned by id, so one of two with the same id would be lost.
  if (new Set(step.questions.map((each) => each.question_id)).size < step.questions.length)
    return refused(['Two questions have the same question_id; give each its own.']);
  return problems.length === 0 ? { ok: true, step } : refused(problems);
}
