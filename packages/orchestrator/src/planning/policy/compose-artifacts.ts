import type { JsonObject, JsonValue } from '@svc/contracts';
import { fieldOf, isJsonObject } from '../../json-object.js';
import type { PlanContext, PlanTool } from '../plan-context.js';
import type { PlannedCall, PlannedQuestion } from '../plan-step.js';
import { parseAnswer } from './parse-answer.js';
import { isOk, recordedCalls } from './run-record.js';

/** The name of the system tool that writes arguments. */
export const COMPOSE_TOOL_NAME = 'compose';

/** A text that `compose` wrote for one argument of one tool. */
export interface Artifact {
  readonly artifact_id: string;
  /** `tool.argument`. */
  readonly target: string;
  readonly text: string;
}

/** The texts that `compose` wrote in this run, by id. */
function artifactsOf(context: Pick<PlanContext, 'steps'>): Map<string, Artifact> {
  const found = recordedCalls(context).flatMap((call): [string, Artifact][] => {
    if (call.tool_id !== COMPOSE_TOOL_NAME || !isOk(call) || call.outcome?.status !== 'ok') return [];
    const { result } = call.outcome;
    if (!isJsonObject(result)) return [];
    const { artifact_id, target, text } = result;
    if (typeof artifact_id !== 'string' || typeof target !== 'string' || typeof text !== 'string') return [];
    return [[artifact_id, { artifact_id, target, text }]];
  });
  return new Map(found);
}

/** A call with its composed arguments in place, or the problems that prevent it. */
export interface ComposedCall {
  readonly call: PlannedCall;
  readonly problems: readonly string[];
  /** What the user must approve before the call may run. */
  readonly questions: readonly PlannedQuestion[];
}

/** Shows the whole text: nobody approves what they have not seen. */
const approvalQuestion = ({ artifact_id, target, text }: Artifact): PlannedQuestion => ({
  question_id: `approve:${artifact_id}`,
  prompt: `Use this text for ${target}?\n\n${text}`,
  input_type: 'boolean',
});

/** Whether the user approved a text; undefined when not asked yet. */
function approvalOf(question: PlannedQuestion, context: PlanContext): boolean | undefined {
  const { question_id, prompt } = question;
  // A planner may have asked something else under the same id.
  const step = context.steps.findLast(
    (each) =>
      each.type === 'ask' &&
      each.questions.some((asked) => asked.question_id === question_id && asked.prompt === prompt),
  );
  return step?.type === 'ask' ? parseAnswer(question, step.answers[question_id]) === true : undefined;
}

/** Replaces ids of composed texts in a call with the texts, and enforces who may write an argument. */
export function placeArtifacts(call: PlannedCall, tool: PlanTool, context: PlanContext): ComposedCall {
  const artifacts = artifactsOf(context);
  const args: Record<string, JsonValue> = { ...call.args };
  const problems: string[] = [];
  const questions: PlannedQuestion[] = [];
  const names = new Set([...Object.keys(call.args), ...Object.keys(tool.compose ?? {})]);
  for (const name of names) {
    const [target, rule, value] = [`${tool.name}.${name}`, tool.compose?.[name], fieldOf(call.args, name)];
    const artifact = typeof value === 'string' ? artifacts.get(value) : undefined;
    if (!artifact) {
      if (rule?.mode === 'require' && value !== undefined)
        problems.push(
          `${target} has to be written by ${COMPOSE_TOOL_NAME}: call it for this target, then pass the artifact_id it returns.`,
        );
      continue;
    }
    if (artifact.target !== target)
      problems.push(`${artifact.artifact_id} was written for ${artifact.target}, not for ${target}.`);
    if (rule?.mode === 'forbid') problems.push(`${target} may not be written by ${COMPOSE_TOOL_NAME}.`);
    args[name] = artifact.text;
    if (rule?.approved !== false) continue;
    const question = approvalQuestion(artifact);
    const approval = approvalOf(question, context);
    if (approval === undefined) questions.push(question);
    else if (!approval)
      problems.push(`"${tool.name}" may not run: the person did not approve the text for ${target}.`);
  }
  return { call: { ...call, args }, problems, questions };
}

/** Maps the targets that `compose` may write, `tool.argument`, to the argument's schema. */
export function composeTargets({ tools }: Pick<PlanContext, 'tools'>): Map<string, JsonObject> {
  const targets = tools.flatMap((tool) =>
    Object.entries(tool.parameters.properties)
      .filter(([name]) => tool.compose?.[name]?.mode !== 'forbid')
      .map(([name, schema]) => [`${tool.name}.${name}`, schema] as const),
  );
  return new Map(targets);
}
