import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject } from '../../../json-object.js';
import type { PlanContext } from '../../plan-context.js';
import { indexTools, withProducers } from '../../policy/producer-graph.js';
import { callsOfTool, hasSucceeded } from '../../policy/run-record.js';
import { parseAnswer } from '../../policy/parse-answer.js';
import { chainableRoles } from '../tools/argument-role.js';
import { isSameCall, mayRepeat } from '../tools/call-attempts.js';
import { asksToCount, bounds } from '../fill/fill-numbers.js';
import { fillArguments, type Filling, type OtherSources } from '../fill/fill-arguments.js';
import type { Found } from '../fill/fill-argument.js';
import { coerce } from '../fill/fill-scope.js';
import { valuesFromResult } from '../fill/from-results.js';
import {
  isSettled,
  questionId,
  resultsOf,
  type GoalCall,
  type GoalProgress,
  type GoalState,
} from './goal-progress.js';
import type { Goal } from './goals.js';
import { givenText } from '../fill/given-text.js';
import type { Request } from '../mentions/request.js';
import type { Argument } from '../tools/tool-profile.js';

/** The maximum number of one call's results that are each passed to the next tool. */
const maxChained = 5;

/** The user's answer for an argument: a value, `null` for declined, or undefined. */
function answerFor(
  goal: Goal,
  path: string,
  argument: Argument,
  context: PlanContext,
): JsonValue | undefined {
  const id = questionId(goal, path);
  const asks = context.steps.filter((step) => step.type === 'ask');
  for (const step of asks.toReversed()) {
    const question = step.questions.find((each) => each.question_id === id);
    const raw = question && step.answers[id];
    if (question === undefined || raw === undefined) continue;
    const answer = parseAnswer(question, raw) ?? null;
    if (answer === null) return null;
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return coerce(text, argument.schema) ?? null;
  }
  return undefined;
}

/** Writes what goals found as text, for arguments that take one. */
export type ComposeResults = (done: readonly GoalProgress[]) => string;

/** Follows every goal through the steps of the run so far. */
export class ProgressReader {
  readonly #context: PlanContext;
  readonly #compose: ComposeResults;
  readonly #given: Request['given'];
  #goals: readonly Goal[] = [];
  readonly #done: GoalProgress[] = [];

  constructor(context: PlanContext, given: Request['given'], compose: ComposeResults) {
    this.#context = context;
    this.#given = given;
    this.#compose = compose;
  }

  read(goals: readonly Goal[]): readonly GoalProgress[] {
    this.#goals = goals;
    const ordered = [
      ...goals.filter((goal) => goal.purpose !== 'final'),
      ...goals.filter((goal) => goal.purpose === 'final'),
    ];
    for (const goal of ordered) this.#done.push({ goal, state: this.#stateOf(goal) });
    return this.#done;
  }

  #stateOf(goal: Goal): GoalState {
    const source = this.#done.find((each) => each.goal.key === goal.source);
    if (source && !isSettled(source)) return { type: 'waiting' };
    const others = this.#done.filter((each) => each.goal.purpose !== 'producer' || goal.purpose === 'final');
    if (goal.purpose === 'final' && !others.every(isSettled)) return { type: 'waiting' };
    const written = this.#textState(goal);
    if (written) return written;
    const filling = fillArguments(goal.profile, goal.clause, this.#sources(goal, source));
    if (filling.missing.length > 0) return this.#missing(goal, filling, source);
    return this.#calling(goal, filling.calls, filling);
  }

  /** A text is written once earlier goals are settled; a tool waits for its texts. */
  #textState(goal: Goal): GoalState | undefined {
    const isOpen = this.#done.some((each) => each.goal.purpose !== 'always' && !isSettled(each));
    if (goal.fixed) return isOpen ? { type: 'waiting' } : this.#calling(goal, [goal.fixed]);
    const texts = this.#done.filter((each) => this.#isTextOf(each.goal, goal));
    if (texts.some((each) => !isSettled(each))) return { type: 'waiting' };
    const failed = texts.find((each) => resultsOf(each).length === 0);
    return failed && { type: 'blocked', reason: 'There is nothing to write yet.' };
  }

  #isTextOf(text: Goal, goal: Goal): boolean {
    const target = text.fixed?.['target'];
    return (
      typeof target === 'string' &&
      goal.profile.arguments.some(({ name }) => target === `${goal.profile.tool.name}.${name}`)
    );
  }

  /** The id of the text that was written for an argument. */
  #written(goal: Goal, path: string): Found {
    const target = `${goal.profile.tool.name}.${path}`;
    const texts = this.#done.filter((each) => each.goal.fixed?.['target'] === target).flatMap(resultsOf);
    return texts.flatMap((text) =>
      isJsonObject(text) && text['artifact_id'] !== undefined ? [text['artifact_id']] : [],
    );
  }

  #missing(goal: Goal, { missing }: Filling, source: GoalProgress | undefined): GoalState {
    const declined = missing.find(
      ({ path, argument }) => answerFor(goal, path, argument, this.#context) === null,
    );
    if (declined)
      return { type: 'blocked', reason: `I need the ${declined.path.replaceAll(/[_.]/g, ' ')} for this.` };
    if (source && resultsOf(source).length === 0)
      return { type: 'blocked', reason: `${source.goal.profile.tool.name} found nothing to continue with.` };
    const unfinished = this.#done.filter((each) => each.goal.purpose !== 'producer' && !isSettled(each));
    // Running calls may still provide the value; the user is asked only when nothing else can.
    const mayComeFromResults = unfinished.some(({ state }) => state.type !== 'asking');
    return mayComeFromResults && goal.clause.refersBack ? { type: 'waiting' } : { type: 'asking', missing };
  }

  #sources(goal: Goal, source: GoalProgress | undefined): OtherSources {
    const answers = (path: string, argument: Argument): Found => {
      const answer = answerFor(goal, path, argument, this.#context);
      return answer === undefined || answer === null ? [] : [answer];
    };
    const settled = this.#done.filter(isSettled);
    if (goal.purpose === 'final') {
      return {
        before: (path, argument) =>
          [
            ...this.#written(goal, path),
            ...answers(path, argument),
            ...this.#finalValue(argument, settled),
          ].slice(0, 1),
      };
    }
    return {
      before: (path, argument) => {
        const answer = [...this.#written(goal, path), ...answers(path, argument)];
        if (answer.length > 0) return answer;
        const chained = source ? this.#chained(goal, argument, source) : [];
        return chained.length > 0 ? chained : countAll(goal, argument);
      },
      after: (_path, argument) => {
        const known = [...settled.flatMap(resultsOf), ...this.#given.values()];
        const found = known.flatMap((each) => valuesFromResult(each, argument)).slice(0, 1);
        const text = argument.role === 'content' && found.length === 0 ? givenText(this.#given) : undefined;
        return text === undefined ? found : [text];
      },
    };
  }

  /**
   * What the previous goal found: one for "the file", as many as requested for "the 3 files", a few for "the files".
   */
  #chained(goal: Goal, argument: Argument, source: GoalProgress): Found {
    if (argument.role === 'content') return [this.#compose([source])];
    if (!chainableRoles.has(argument.role)) return [];
    const found = resultsOf(source).flatMap((each) => valuesFromResult(each, argument));
    const isPlural = /\b(?:files|documents|results|matches|ones|they|them|their|these|those)\b/i.test(
      goal.clause.text,
    );
    return found.slice(0, requestedCount(source) ?? (isPlural ? maxChained : 1));
  }

  #finalValue(argument: Argument, settled: readonly GoalProgress[]): Found {
    const results = settled.flatMap(resultsOf);
    const exact = results.flatMap((each) => valuesFromResult(each, argument, 'loose'));
    if (exact.length > 0) return exact;
    const takesText =
      argument.role === 'content' || argument.role === 'instruction' || textNames.has(argument.name);
    return takesText && settled.length > 0 ? [this.#compose(settled)] : [];
  }

  #calling(
    goal: Goal,
    calls: readonly JsonObject[],
    { dropped, unused }: Pick<Filling, 'dropped' | 'unused'> = { dropped: [], unused: [] },
  ): GoalState {
    const refused = this.#refusal(goal);
    if (refused) return { type: 'blocked', reason: refused };
    return {
      type: 'calling',
      calls: calls.map((args) => this.#callOf(goal, args, calls.length === 1)),
      dropped,
      unused,
    };
  }

  /**
   * Identical calls are made once, even for several goals. The only call of the only goal of a tool is matched by tool,
   * because its arguments may have been completed.
   */
  #callOf(goal: Goal, args: JsonObject, isOnly: boolean): GoalCall {
    const { tool } = goal.profile;
    const ofTool = callsOfTool(tool.tool_id, this.#context);
    const same = ofTool.filter((call) => isSameCall(call, args, tool));
    const isOnlyGoal = this.#goals.filter((each) => each.profile.tool === tool).length === 1;
    const attempts = same.length === 0 && isOnly && isOnlyGoal ? ofTool : same;
    const record = attempts.at(-1);
    return { args, ...(record ? { record } : {}), isPending: mayRepeat(attempts, tool, this.#context) };
  }

  /** A call that the rules refused is not tried again, nor is one that needs its result. */
  #refusal({ profile: { tool } }: Goal): string | undefined {
    const refused = this.#context.steps.flatMap((step) =>
      step.type === 'feedback' && step.rejected.type === 'call'
        ? [{ calls: step.rejected.calls, problems: step.problems }]
        : [],
    );
    if (refused.length === 0) return undefined;
    const index = indexTools(this.#context.tools);
    const producers = withProducers([tool.tool_id], index).flatMap((each) => index.get(each) ?? []);
    const missing = producers.filter(({ tool_id }) => !hasSucceeded(tool_id, this.#context));
    const involved = [tool, ...missing];
    return refused
      .filter(({ calls }) => calls.some((call) => involved.some(({ tool_id }) => tool_id === call.tool_id)))
      .flatMap(({ problems }) => problems)
      .find((problem) => involved.some(({ name }) => problem.includes(`"${name}"`)));
  }
}

/** How many results the request asked the source for: "the 3 largest files". */
function requestedCount({ goal, state }: GoalProgress): number | undefined {
  const name = goal.profile.arguments.find(({ role }) => role === 'limit')?.name;
  const requested = state.type === 'calling' && name !== undefined ? state.calls[0]?.args[name] : undefined;
  return typeof requested === 'number' && requested <= 10 ? requested : undefined;
}

/** To count what a tool lists, ask it for the maximum. */
function countAll({ profile, clause, purpose }: Goal, { role, schema }: Argument): Found {
  const counts = profile.nameWords.some((word) => word.ideas.includes('#count'));
  const isCounted = purpose === 'asked' && role === 'limit' && !counts && asksToCount(clause.text);
  const hasNumber = clause.mentions.all.some((each) => each.kind === 'number');
  const { maximum } = bounds(schema);
  return isCounted && !hasNumber && maximum <= 1000 ? [maximum] : [];
}

const textNames = new Set([
  'answer',
  'text',
  'report',
  'response',
  'result',
  'message',
  'output',
  'conclusion',
  'findings',
]);
