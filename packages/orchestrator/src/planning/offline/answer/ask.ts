import { escapeText, labelOf } from '../../answer/markdown.js';
import type { PlannedQuestion, QuestionInputType } from '../../plan-step.js';
import { MAX_QUESTIONS_PER_STEP } from '../../policy/settle-step.js';
import { typesOf } from '../tools/argument-role.js';
import { describeArgument, type MissingArgument } from '../fill/fill-arguments.js';
import type { Goal } from '../goals/goals.js';
import { questionId, type GoalProgress } from '../goals/goal-progress.js';

function choicesOf({ argument }: MissingArgument): string[] | undefined {
  const members = argument.schema['enum'];
  return Array.isArray(members) ? members.map(String) : undefined;
}

function inputTypeOf(missing: MissingArgument): QuestionInputType {
  if (choicesOf(missing)) return 'choice';
  const types = typesOf(missing.argument.schema);
  if (types.length === 0 || types.includes('string')) return 'text';
  if (types.includes('boolean')) return 'boolean';
  return types.includes('integer') || types.includes('number') ? 'number' : 'text';
}

const hintOf = ({ argument }: MissingArgument) => {
  const types = typesOf(argument.schema);
  if (argument.schema['format'] === 'date') return ' (as 2026-01-31)';
  if (types.includes('array')) return ' (as a JSON list)';
  return types.includes('object') ? ' (as JSON)' : '';
};

function questionFor(goal: Goal, missing: MissingArgument): PlannedQuestion {
  const { tool } = goal.profile;
  const choices = choicesOf(missing);
  const label = labelOf(missing.path.replaceAll('.', ' '));
  const description = describeArgument(missing.argument);
  const detail =
    description.toLowerCase() === label.toLowerCase()
      ? ''
      : ` ${description.replace(/(?<![.\s])[.\s]+$/, '')}.`;
  return {
    question_id: questionId(goal, missing.path),
    prompt: `What is the ${escapeText(label)} for “${labelOf(tool.name)}”?${detail}${hintOf(missing)}`,
    input_type: inputTypeOf(missing),
    ...(choices ? { choices } : {}),
    tool_id: tool.tool_id,
    arg_name: missing.path,
  };
}

/** The questions that block goals, up to a step's maximum. */
export function questionsOf(progress: readonly GoalProgress[]): PlannedQuestion[] {
  return progress
    .flatMap(({ goal, state }) =>
      state.type === 'asking' ? state.missing.map((missing) => questionFor(goal, missing)) : [],
    )
    .slice(0, MAX_QUESTIONS_PER_STEP);
}
