import type { JsonObject, JsonValue } from '@svc/contracts';
import { leadSentence, rowsOf } from '../../answer/lead-sentence.js';
import { bullets, escapeText, inlineCode, labelOf, scalarText } from '../../answer/markdown.js';
import { isEmptyResult, renderValue } from '../../answer/render-value.js';
import { isJsonObject, textOf } from '../../../json-object.js';
import type { PlanTool, RecordedCall } from '../../plan-context.js';
import { callResult } from '../../policy/run-result.js';
import { SKIPPED_CODE } from '../../policy/run-record.js';
import type { Clause } from '../tools/clauses.js';
import type { Goal, GoalPlan } from '../goals/goals.js';
import { readMcpResult } from './mcp-result.js';
import { namesLeft, narrowTo } from './narrow.js';
import { isSettled, resultsOf, type GoalCall, type GoalProgress } from '../goals/goal-progress.js';

/** Rows shown when a sentence already gives the answer. */
const rowsAfterLead = 5;
/** How many values are named individually. */
const maxNamed = 10;

/** The outcome of a request. */
export interface Outcome {
  readonly plan: GoalPlan;
  readonly progress: readonly GoalProgress[];
  /** Why planning stopped before everything was done, if it did. */
  readonly stopped?: string;
}

const toolLabel = (goal: Goal) => escapeText(labelOf(goal.profile.tool.name));

/** An agent's own text is kept as it is; everything else is data. */
function agentText(call: RecordedCall, tool: PlanTool): string | undefined {
  if (tool.kind !== 'agent' || call.outcome?.status !== 'ok' || !isJsonObject(call.outcome.result))
    return undefined;
  const { response } = call.outcome.result;
  return textOf(response)?.trim() || undefined;
}

const limitOf = (goal: Goal): number | undefined => {
  const argument = goal.profile.arguments.find((each) => each.role === 'limit');
  const fallback = argument?.schema['default'];
  return typeof fallback === 'number' ? fallback : undefined;
};

const argsText = (args: JsonObject) =>
  Object.entries(args)
    .filter(([, value]) => typeof value !== 'object' && String(value).length <= 60)
    .map(([name, value]) => `${escapeText(labelOf(name))} “${escapeText(scalarText(value))}”`)
    .join(', ');

/** A clause as it is quoted, without its question mark. */
const quoteClause = ({ text }: Clause) =>
  `“${escapeText(text.trim().replace(/(?<![\s.!?,;:])[\s.!?,;:]+$/, ''))}”`;

function renderResult(call: GoalCall, goal: Goal, names: readonly string[]): string {
  const { record, args } = call;
  const tool = goal.profile.tool;
  if (!record) return '';
  const said = agentText(record, tool);
  if (said !== undefined) return said;
  const returned = callResult(record, tool);
  const mcpResult = readMcpResult(returned, tool);
  const result = mcpResult ? mcpResult.value : returned;
  if (mcpResult?.isError) return `${toolLabel(goal)} failed: ${renderValue(result)}`;
  if (isEmptyResult(result)) {
    const how = argsText(args);
    return result === null
      ? `${toolLabel(goal)}: done.`
      : `Nothing found (${toolLabel(goal)}${how === '' ? '' : `: ${how}`}).`;
  }
  const { value, missed } = narrowTo(result, names);
  const limit = limitOf(goal);
  const lead = leadSentence(value, {
    text: goal.clause.text,
    args: record.args,
    ...(limit === undefined ? {} : { limit }),
  });
  const notes = missed.map((name) => `I could not narrow this down to “${escapeText(name)}”.`);
  return [lead, detailsAfter(lead, value), ...notes]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

/** After a sentence that gives the answer, only lists and texts remain to be shown. */
function detailsAfter(lead: string | undefined, result: JsonValue): string | undefined {
  if (lead === undefined) return renderValue(result);
  const rows = rowsOf(result);
  const [row] = rows;
  const facts = row ? Object.values(row).filter((value) => typeof value !== 'object' && value !== '') : [];
  const isSaid =
    rows.length === 1 &&
    row !== result &&
    facts.every((value) => lead.includes(escapeText(scalarText(value))));
  return isSaid ? undefined : renderValue(result, { limit: rowsAfterLead, withFacts: false });
}

function failureText(call: GoalCall, goal: Goal): string {
  const outcome = call.record?.outcome;
  if (outcome?.status !== 'error') return '';
  const { code, message } = outcome.error;
  if (code === SKIPPED_CODE) return `${toolLabel(goal)} was not run. ${escapeText(message)}`;
  const how = argsText(call.args);
  return `${toolLabel(goal)}${how === '' ? '' : ` (${how})`} failed: ${escapeText(message)}`;
}

/** Calls of one goal differ in one argument, which titles each result, unless its answer begins with it. */
function withTitle(text: string, call: GoalCall, goal: Goal): string {
  const differing = Object.values(call.args).find((value) => typeof value === 'string');
  if (goal.profile.tool.kind === 'agent' || typeof differing !== 'string') return text;
  return text.split('\n')[0]?.includes(differing) ? text : `**${inlineCode(differing)}**\n\n${text}`;
}

/** Lists the values for which a goal made no call, so that its results are not mistaken for all that was asked. */
function droppedText(dropped: readonly JsonValue[], goal: Goal, callCount: number): string[] {
  if (dropped.length === 0) return [];
  const named = dropped.slice(0, maxNamed).map((value) => `“${escapeText(scalarText(value))}”`);
  const others = dropped.length > maxNamed ? ` and ${dropped.length - maxNamed} more` : '';
  return [
    `${toolLabel(goal)} was called for the first ${callCount} only, not for ${named.join(', ')}${others}. Ask for them again.`,
  ];
}

interface Section {
  readonly goal: Goal;
  readonly text: string;
  readonly failures: readonly string[];
}

function sectionOf(progress: GoalProgress, all: readonly GoalProgress[]): Section {
  const { goal, state } = progress;
  const names = namesLeft(progress, all);
  if (state.type === 'blocked')
    return {
      goal,
      text: '',
      failures: [`I could not do ${quoteClause(goal.clause)}. ${escapeText(state.reason)}`],
    };
  if (state.type !== 'calling') return { goal, text: '', failures: [] };
  const ok = state.calls.filter((call) => call.record?.outcome?.status === 'ok');
  const isSeveral = state.calls.length > 1;
  const texts = ok.map((call) => {
    const text = renderResult(call, goal, names);
    return isSeveral ? withTitle(text, call, goal) : text;
  });
  const failures = [
    ...state.calls.map((call) => failureText(call, goal)).filter((text) => text !== ''),
    ...droppedText(state.dropped, goal, state.calls.length),
  ];
  return { goal, text: texts.filter((text) => text !== '').join('\n\n'), failures };
}

/** Purposes whose results the user wants to read; the others are mentioned only when they fail. */
const shown = new Set<Goal['purpose']>(['asked', 'required', 'final']);

function headingOf(section: Section, sections: readonly Section[]): string {
  if (sections.length < 2) return '';
  const { goal } = section;
  const alone = sections.filter((each) => each.goal.clause.index === goal.clause.index).length === 1;
  const text = alone && goal.clause.index >= 0 ? goal.clause.text : labelOf(goal.profile.tool.name);
  const title = text
    .trim()
    .replace(/(?<![\s.,;:])[\s.,;:]+$/, '')
    .replace(/^(?:and|then|also|please)\s+/i, '');
  return `### ${escapeText(title.charAt(0).toUpperCase() + title.slice(1))}\n\n`;
}

/** A part that no tool fits is mentioned when it asks for something, but not when it only names a place to look. */
function unmatchedText({ unmatched }: GoalPlan): string[] {
  return unmatched
    .filter(
      ({ words, mentions }) =>
        words.length > 0 && !mentions.all.some(({ kind }) => kind === 'file' || kind === 'folder'),
    )
    .map((clause) => `I have no tool for ${quoteClause(clause)}.`);
}

/** The answer in Markdown: what each part of the request found, then what went wrong and why. */
export function composeAnswer({ plan, progress, stopped }: Outcome): string {
  const sections = progress.map((each) => sectionOf(each, progress));
  const anyAsked = sections.some(
    ({ goal, text }) => text !== '' && goal.purpose !== 'always' && shown.has(goal.purpose),
  );
  const visible = sections.filter(
    ({ goal, text }) => text !== '' && (shown.has(goal.purpose) || (!anyAsked && goal.purpose === 'always')),
  );
  const parts = [
    ...visible.map((section) => `${headingOf(section, visible)}${section.text}`),
    ...plan.recalled,
  ];
  const failures = [...new Set(sections.flatMap((section) => section.failures))];
  const open = progress.filter((each) => each.goal.purpose !== 'producer' && !isSettled(each));
  const notes = [
    ...failures,
    ...unmatchedText(plan),
    ...(stopped && open.length > 0
      ? open.map(({ goal }) => `I did not get to ${quoteClause(goal.clause)}: ${escapeText(stopped)}`)
      : []),
  ];
  if (notes.length > 0)
    parts.push(notes.length === 1 ? (notes[0] ?? '') : `Not everything worked:\n\n${bullets(notes)}`);
  return parts.join('\n\n') || 'Done.';
}

/** What goals found, as material for another tool's text argument. */
export function composeFindings(done: readonly GoalProgress[]): string {
  const visible = done.filter((each) => resultsOf(each).length > 0 && each.goal.purpose !== 'always');
  const sections = visible.map((each) => sectionOf(each, done)).filter(({ text }) => text !== '');
  return sections.map((section) => `${headingOf(section, sections)}${section.text}`).join('\n\n');
}
