import type { JsonObject } from '@svc/contracts';
import type { PlanContext, PlanSystemTool, PlanTool, RecalledItem } from '../../plan-context.js';
import { COMPOSE_TOOL_NAME } from '../../policy/compose-artifacts.js';
import { planLimits, requiredFinalTool, type RequirementReason } from '../../policy/plan-limits.js';
import { indexTools, withProducers, type ToolIndex } from '../../policy/producer-graph.js';
import { chainableRoles } from '../tools/argument-role.js';
import { chooseTools, pickerFor, rankTools } from '../tools/choose-tools.js';
import { mergeMentions, splitRequest, wholeClause, type Clause } from '../tools/clauses.js';
import { isQuestion, knownItems, recalledAnswer, skillSteps } from '../tools/recalled.js';
import { followUpText, type Request } from '../mentions/request.js';
import { isSmallTalk } from '../language/small-talk.js';
import { toolSetOf, type ToolProfile, type ToolSet } from '../tools/tool-profile.js';
import { contentWords } from '../language/words.js';

/** Why a tool is called. */
export type GoalPurpose =
  /** The request asks for the tool. */
  | 'asked'
  /** The request refers to the tool's result. */
  | 'source'
  /** Another tool takes its result. */
  | 'producer'
  /** The tool writes an argument of another tool. */
  | 'text'
  /** A rule of the run requires the tool. */
  | 'required'
  /** The tool runs in every turn. */
  | 'always'
  /** The tool makes the run's result from all others. */
  | 'final';

/** One tool to call, and the part of the request its arguments come from. */
export interface Goal {
  readonly key: string;
  readonly profile: ToolProfile;
  readonly clause: Clause;
  readonly purpose: GoalPurpose;
  /** Arguments that are already decided, instead of being read from the text. */
  readonly fixed?: JsonObject;
  /** Key of the goal whose result an argument takes. */
  readonly source?: string;
}

/** Everything to do, what memory says about it, and the parts of the request that nothing fits. */
export interface GoalPlan {
  readonly goals: readonly Goal[];
  /** Texts from memory, as they appear in the answer. */
  readonly recalled: readonly string[];
  readonly unmatched: readonly Clause[];
}

/** Tools that the rules of the run ever allow; which of them may be called now is decided at each step. */
function candidateTools(context: PlanContext): PlanTool[] {
  const { mode } = context.constraints;
  const constraints = {
    ...context.constraints,
    mode: mode === 'strict_user_dag' ? mode : ('supervisor_loop' as const),
  };
  const search = context.system_tools.filter((tool) => tool.name === 'web_search');
  return [...planLimits({ ...context, constraints, steps: [] }).callable, ...search.map(asTool)];
}

/** A system tool in the form of other tools. */
const asTool = ({ name, description, parameters }: PlanSystemTool): PlanTool => ({
  tool_id: name,
  name,
  description,
  kind: 'func',
  tags: [],
  parameters,
  dependencies: [],
  always_execute: false,
  final_tool: false,
});

/** Whether "it" means the previous clause's result rather than something that the request names. */
function refersToResult(clause: Clause, profile: ToolProfile, previous: Goal): boolean {
  if (!clause.refersBack || previous.profile === profile) return false;
  if (profile.arguments.some(({ role, required }) => required && role === 'content')) return true;
  if (!profile.arguments.some(({ role }) => chainableRoles.has(role))) return false;
  const named = [...clause.mentions.all, ...clause.inherited.all];
  if (named.some(({ kind }) => ['file', 'code', 'uuid', 'url', 'email'].includes(kind))) return false;
  const hasScope = named.some(({ kind }) => kind === 'folder' || kind === 'extension' || kind === 'glob');
  // In "List the files in src and count their lines" the reference is to src, in "find the largest in src and show it"
  // to the file.
  return !hasScope || !/\b(?:they|them|their|these|those)\b/i.test(clause.text);
}

class GoalBuilder {
  readonly goals: Goal[] = [];
  readonly #set: ToolSet;
  readonly #whole: Clause;
  readonly #context: PlanContext;
  readonly #index: ToolIndex;

  constructor(set: ToolSet, whole: Clause, context: PlanContext) {
    this.#index = indexTools(context.tools);
    this.#set = set;
    this.#whole = whole;
    this.#context = context;
  }

  /** The goal a tool already has, whatever its purpose. */
  find(toolId: string): Goal | undefined {
    return this.goals.find((goal) => goal.profile.tool.tool_id === toolId);
  }

  add(goal: Omit<Goal, 'key'>): Goal {
    const key = `${goal.clause.index + 1}.${goal.profile.tool.name}`;
    const known = this.goals.find((each) => each.key === key);
    if (known) return known;
    const producer = this.goals.findIndex(
      (each) => each.profile === goal.profile && each.purpose === 'producer',
    );
    const added = { ...goal, key };
    // A tool planned as a producer is now asked for explicitly, so the new clause fills it.
    if (producer >= 0) return (this.goals[producer] = added);
    this.#addProducers(goal);
    this.#addTexts(goal);
    this.goals.push(added);
    return added;
  }

  /** Producers are filled from the clause's own and inherited mentions. */
  #addProducers({ profile, clause }: Omit<Goal, 'key'>): void {
    for (const toolId of withProducers([profile.tool.tool_id], this.#index)) {
      const producer = this.#set.profiles.find((each) => each.tool.tool_id === toolId);
      if (!producer || producer === profile || this.find(toolId)) continue;
      this.goals.push({
        key: `${clause.index + 1}.${producer.tool.name}`,
        profile: producer,
        clause: {
          ...clause,
          refersBack: true,
          inherited: mergeMentions(clause.inherited, this.#whole.mentions),
        },
        purpose: 'producer',
      });
    }
  }

  /** Arguments that only `compose` may write are written first. */
  #addTexts({ profile: { tool }, clause }: Omit<Goal, 'key'>): void {
    const compose = this.#context.system_tools.find((each) => each.name === COMPOSE_TOOL_NAME);
    const [profile] = compose ? toolSetOf([asTool(compose)]).profiles : [];
    if (!profile) return;
    for (const [name, rule] of Object.entries(tool.compose ?? {})) {
      if (rule.mode !== 'require' || !tool.parameters.required.includes(name)) continue;
      const target = `${tool.name}.${name}`;
      const fixed = { target, instructions: clause.text };
      this.goals.push({
        key: `${clause.index + 1}.compose.${target}`,
        profile,
        clause,
        purpose: 'text',
        fixed,
      });
    }
  }
}

/** The swarm member that gets a request that mentions no member: the closest one. */
function fallbackMember(whole: Clause, set: ToolSet, context: PlanContext): ToolProfile | undefined {
  const members = new Set(context.constraints.swarm?.members.map((member) => member.tool_id));
  const profiles = set.profiles.filter((profile) => members.has(profile.tool.tool_id));
  const overlap = (profile: ToolProfile) =>
    contentWords(whole.text).filter((word) => word.ideas.some((idea) => profile.ideas.has(idea))).length;
  return profiles.toSorted((a, b) => overlap(b) - overlap(a))[0];
}

interface Unplanned {
  readonly recalled: string[];
  readonly unmatched: Clause[];
}

/** Plans the parts that tools fit. Others follow a skill, are answered from memory, or are left over. */
function addClauses(
  clauses: readonly Clause[],
  { set, builder, memory }: { set: ToolSet; builder: GoalBuilder; memory: readonly RecalledItem[] },
): Unplanned {
  const recalled: string[] = [];
  const unmatched: Clause[] = [];
  let previous: Goal | undefined;
  for (const clause of clauses) {
    const choice = chooseTools(clause, set);
    const skill = choice ? undefined : skillSteps(clause, { memory, set });
    if (skill) {
      previous = addSteps(skill.profiles, clause, builder);
      recalled.push(skill.note);
      continue;
    }
    if (!choice) {
      const answer = recalledAnswer(clause, memory);
      if (answer !== undefined) recalled.push(answer);
      if (answer === undefined || !isQuestion(clause)) unmatched.push(clause);
      continue;
    }
    const { main: profile } = choice;
    const source = choice.source && builder.add({ profile: choice.source, clause, purpose: 'source' });
    const back = !source && previous && refersToResult(clause, profile, previous) ? previous : undefined;
    const from = source ?? back;
    previous = builder.add({ profile, clause, purpose: 'asked', ...(from ? { source: from.key } : {}) });
  }
  return { recalled, unmatched };
}

/** Adds the steps of a skill: each takes what the one before found. */
function addSteps(profiles: readonly ToolProfile[], clause: Clause, builder: GoalBuilder): Goal | undefined {
  let previous: Goal | undefined;
  for (const profile of profiles) {
    const source: { source?: string } = previous ? { source: previous.key } : {};
    previous = builder.add({ profile, clause, purpose: 'asked', ...source });
  }
  return previous;
}

const purposes: Readonly<Record<RequirementReason, GoalPurpose>> = {
  final_tool: 'final',
  always_execute: 'always',
  targeted: 'required',
  declared_graph: 'required',
  final_member: 'required',
};

function addRequired(whole: Clause, set: ToolSet, builder: GoalBuilder, context: PlanContext): void {
  for (const requirement of planLimits({ ...context, steps: [] }).required) {
    const profile = set.profiles.find((each) => each.tool.tool_id === requirement.tool_id);
    if (profile && !builder.find(requirement.tool_id))
      builder.add({ profile, clause: whole, purpose: purposes[requirement.reason] });
  }
}

/** A run's request is the same in every turn, so its goals are cached; a new process computes them again. */
const plans = new WeakMap<
  PlanContext['messages'],
  Pick<PlanContext, 'tools' | 'constraints' | 'system_tools' | 'memory'> & { readonly plan: GoalPlan }
>();

const planInputs = ['tools', 'constraints', 'system_tools', 'memory'] as const;

/** Decides which tools a request needs: those it asks for, their producers, and those that the run's rules require. */
export function buildGoals(request: Request, context: PlanContext): GoalPlan {
  const { messages, tools, constraints, system_tools, memory } = context;
  const from = { tools, constraints, system_tools, ...(memory ? { memory } : {}) };
  const known = plans.get(messages);
  if (known && planInputs.every((name) => known[name] === from[name])) return known.plan;
  const plan = readGoals(request, context);
  plans.set(messages, { ...from, plan });
  return plan;
}

/** Leaves out the tool that makes the run's result. It runs after all others, so words that match it ask for those. */
function withoutFinalTool(set: ToolSet, context: PlanContext): ToolSet {
  const finalTool = requiredFinalTool(context);
  return { ...set, profiles: set.profiles.filter(({ tool }) => tool.tool_id !== finalTool?.tool_id) };
}

function readGoals(request: Request, context: PlanContext): GoalPlan {
  const set = toolSetOf(candidateTools(context));
  const candidates = withoutFinalTool(set, context);
  const pick = pickerFor(candidates);
  const original = splitRequest(request.text, request.earlier, pick, context);
  const isFollowUp = original.every((clause) => rankTools(clause, candidates).length === 0);
  const rewritten = isFollowUp ? followUpText(request, context) : undefined;
  const clauses =
    rewritten === undefined ? original : splitRequest(rewritten, request.earlier, pick, context);
  const whole = wholeClause(rewritten ?? request.text, context);
  const builder = new GoalBuilder(set, whole, context);
  const { recalled, unmatched } = addClauses(clauses, {
    set: candidates,
    builder,
    memory: knownItems(context),
  });
  addRequired(whole, set, builder, context);
  const isAnswered = recalled.length > 0 && unmatched.length === 0;
  const hasOnlyResult = builder.goals.every(({ purpose }) => purpose === 'final');
  const isOpen = hasOnlyResult && !isAnswered && !isSmallTalk(request.text);
  if (isOpen && context.constraints.swarm) {
    const profile = fallbackMember(whole, set, context);
    if (profile) builder.add({ profile, clause: whole, purpose: 'asked' });
  }
  return { goals: builder.goals, recalled, unmatched };
}
