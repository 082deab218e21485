import type { JsonObject } from '@svc/contracts';
import { isJsonObject, textOf } from '../../../json-object.js';
import type { PlanTool } from '../../plan-context.js';
import { indexTools, type ToolIndex } from '../../policy/producer-graph.js';
import { plainSchema, roleOf, type ArgumentRole } from './argument-role.js';
import { contentWords, nameWords, type ContentWord } from '../language/words.js';

/** An argument a planner fills, with what it is for. */
export interface Argument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly role: ArgumentRole;
  readonly required: boolean;
  readonly words: readonly ContentWord[];
  /** Whether this is the tool's only argument of its role, so that it may take every value. */
  readonly isOnlyOfRole: boolean;
}

/** A tool and the words of its texts. */
export interface ToolProfile {
  readonly tool: PlanTool;
  readonly nameWords: readonly ContentWord[];
  /** The word of the name that says what the tool does; the others may say what it does it to. */
  readonly action: ContentWord | undefined;
  readonly arguments: readonly Argument[];
  /** Arguments of the tools whose output it takes; its caller fills them as well. */
  readonly producerArguments: readonly Argument[];
  /** Each idea, with the weight of the best field that contains it. */
  readonly ideas: ReadonlyMap<string, number>;
}

/** A set of tools, with how rare each idea is among them. */
export interface ToolSet {
  readonly profiles: readonly ToolProfile[];
  /** How distinctive an idea is: 1 when a single tool has it, near 0 when all do. */
  rarityOf(idea: string): number;
}

const weights = { name: 3, tag: 2, description: 1.5, choice: 1.2, argument: 0.8 } as const;

/** The arguments of an object schema. */
export function argumentsOf(parameters: JsonObject): Argument[] {
  const properties = isJsonObject(parameters['properties']) ? parameters['properties'] : {};
  const required = new Set<unknown>(Array.isArray(parameters['required']) ? parameters['required'] : []);
  const drafts = Object.entries(properties).map(([name, declared]) => {
    const schema = isJsonObject(declared) ? plainSchema(declared) : {};
    return {
      name,
      schema,
      role: roleOf(name, schema),
      required: required.has(name),
      words: nameWords(name),
    };
  });
  const counts = new Map<ArgumentRole, number>();
  for (const { role } of drafts) counts.set(role, (counts.get(role) ?? 0) + 1);
  return drafts.map((draft) => ({ ...draft, isOnlyOfRole: counts.get(draft.role) === 1 }));
}

const generatedTags = new Set(['dynamic', 'agent_invocation', 'mcp', 'read', 'write']);

/** The tools by id with their arguments, read once, since many tools may take one's output. */
interface ToolReading {
  readonly index: ToolIndex;
  readonly argumentsBy: ReadonlyMap<PlanTool, readonly Argument[]>;
}

/** The tools whose output a tool takes, directly or through others. */
function producersOf(tool: PlanTool, index: ToolIndex): ReadonlySet<PlanTool> {
  const found = new Set<PlanTool>();
  const open = [tool];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const edge of next.dependencies) {
      const producer = edge.type === 'tool' ? index.get(edge.tool_id) : undefined;
      if (!producer || producer === tool || found.has(producer)) continue;
      found.add(producer);
      open.push(producer);
    }
  }
  return found;
}

/** The first word after a toolset's or server's prefix that is not part of an argument's name, as `order` is of `order_id`. */
function actionOf(name: string, args: readonly Argument[]): ContentWord | undefined {
  const words = nameWords(name.replace(/^(?:.*__|[A-Z\d_]+_(?=[a-z]))/, ''));
  const targets = args.flatMap((argument) => argument.words);
  return words.find(({ word }) => !targets.some((target) => target.word === word)) ?? words[0];
}

function profileOf(tool: PlanTool, { index, argumentsBy }: ToolReading): ToolProfile {
  const names = nameWords(tool.name);
  const args = argumentsBy.get(tool) ?? [];
  const ideas = new Map<string, number>();
  const add = (words: readonly ContentWord[], weight: number) => {
    for (const { ideas: each } of words)
      for (const idea of each) ideas.set(idea, Math.max(ideas.get(idea) ?? 0, weight));
  };
  add(names, weights.name);
  for (const tag of tool.tags) if (!generatedTags.has(tag)) add(contentWords(tag), weights.tag);
  // A description may continue with what the tool does not do.
  add(
    contentWords(tool.description.replaceAll(/\b(?:without|not|never|don't|instead of)\b[^.;,]*/gi, '')),
    weights.description,
  );
  for (const { schema, name, words } of args) {
    const choices = Array.isArray(schema['enum'])
      ? schema['enum'].filter((each) => typeof each === 'string')
      : [];
    for (const choice of choices) add(contentWords(choice), weights.choice);
    add(words, weights.argument);
    add(contentWords(textOf(schema['description']) ?? name), weights.argument);
  }
  const producerArguments = [...producersOf(tool, index)].flatMap((each) => argumentsBy.get(each) ?? []);
  const action = actionOf(tool.name, args);
  return { tool, nameWords: names, action, arguments: args, producerArguments, ideas };
}

/** Reads the texts of all tools, once per set of tools. */
export function toolSetOf(tools: readonly PlanTool[]): ToolSet {
  const reading: ToolReading = {
    index: indexTools(tools),
    argumentsBy: new Map(tools.map((tool) => [tool, argumentsOf(tool.parameters)])),
  };
  const profiles = tools.map((tool) => profileOf(tool, reading));
  const frequency = new Map<string, number>();
  for (const { ideas } of profiles)
    for (const [idea, weight] of ideas)
      if (weight > weights.argument) frequency.set(idea, (frequency.get(idea) ?? 0) + 1);
  const scale = Math.log1p(Math.max(1, profiles.length));
  return {
    profiles,
    rarityOf: (idea) => Math.log1p(profiles.length / Math.max(1, frequency.get(idea) ?? 1)) / scale,
  };
}
