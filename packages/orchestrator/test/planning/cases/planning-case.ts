import type { JsonObject, JsonValue } from '@svc/contracts';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import { planContext, toolsOf, type ToolSketch } from '../plan-fixtures.js';
import type { Answers } from '../play.js';

/** Something a planner has to get right, requested in one or more wordings. */
export interface PlanningCase {
  readonly name: string;
  readonly requests: readonly string[];
  readonly context: Omit<Partial<PlanContext>, 'messages'>;
  readonly answers: Answers;
  readonly person?: Readonly<Record<string, JsonValue>>;
  /** Calls wave by wave, `name {args}` with sorted arguments; questions begin with `?`. */
  readonly steps: readonly (readonly string[])[];
  /** What the answer must contain and must not contain. */
  readonly says?: readonly (string | RegExp)[];
  readonly saysNot?: readonly (string | RegExp)[];
  readonly result?: JsonValue;
  /** Earlier messages of the user in the thread. */
  readonly earlier?: readonly string[];
}

type Rest = Omit<PlanningCase, 'name' | 'requests' | 'context' | 'answers' | 'steps'> & { answers?: Answers };

/** Returns a function that creates cases with these tools. `base` has the results that a case does not override. */
export const within =
  (tools: readonly ToolSketch[], base: Answers) =>
  (
    name: string,
    requests: string[],
    steps: string[][],
    { answers = {}, ...rest }: Rest = {},
  ): PlanningCase => ({
    name,
    requests,
    context: { tools: toolsOf(...tools) },
    answers: { ...base, ...answers },
    steps,
    ...rest,
  });

/** Formats a call as in the `steps` of a case. */
export const call = (name: string, args: JsonObject = {}) =>
  Object.keys(args).length === 0
    ? name
    : `${name} ${JSON.stringify(Object.fromEntries(Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1))))}`;

/** Returns the initial context of a case for one of its requests. */
export function startOf(each: PlanningCase, request: string): PlanContext {
  const before = (each.earlier ?? []).flatMap((content) => [
    { role: 'user', content } as const,
    { role: 'assistant', content: 'Done.' } as const,
  ]);
  return planContext({
    ...each.context,
    messages: [...before, { role: 'user', content: request }],
    turn_start: before.length,
  });
}
