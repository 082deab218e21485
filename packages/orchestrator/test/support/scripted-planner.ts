import type { PlanContext } from '../../src/planning/plan-context.js';
import type { PlanStep } from '../../src/planning/plan-step.js';
import type { Planner, PlannerIo } from '../../src/planning/planner.js';

type ScriptedStep = PlanStep | ((context: PlanContext, io: PlannerIo) => PlanStep | Promise<PlanStep>);

/** A planner that follows a script: the n-th step of a run is the script's n-th entry. */
export function scriptedPlanner(
  script: readonly ScriptedStep[] | ((context: PlanContext) => readonly ScriptedStep[]),
): Planner & { contexts: PlanContext[] } {
  const contexts: PlanContext[] = [];
  return {
    name: 'scripted',
    contexts,
    async next(context, io) {
      contexts.push(context);
      const steps = typeof script === 'function' ? script(context) : script;
      const entry = steps[context.steps.length];
      if (!entry) throw new Error(`The script has no step ${context.steps.length + 1}.`);
      const step = typeof entry === 'function' ? await entry(context, io) : entry;
      // A function streams its own text, if any.
      if (typeof entry !== 'function' && step.type === 'finish') io.onText(step.text);
      return step;
    },
  };
}

export const finish = (text: string): PlanStep => ({ type: 'finish', text });

export const call = (...calls: [toolId: string, args?: Record<string, never> | object][]): PlanStep => ({
  type: 'call',
  calls: calls.map(([tool_id, args]) => ({ tool_id, args: { ...args } })),
});
