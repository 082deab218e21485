import type { Planner } from '@svc/orchestrator';
import type { StepPlan } from './run-plan.js';

/** A planner that takes these steps in every session of a run, and keeps what it was shown. */
export function plannedPlanner(steps: readonly StepPlan[]): Planner & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    name: 'planned',
    seen,
    async next(context, { onText }) {
      seen.push(JSON.stringify(context));
      const done = context.steps.length;
      const step = steps[done];
      if (step?.do === 'fail') throw new Error('The planner failed.');
      if (step?.do === 'ask')
        return {
          type: 'ask',
          questions: [{ question_id: `question-${done}`, prompt: 'Which one?', input_type: 'text' }],
        };
      if (step) return { type: 'call', calls: step.tools.map(callOf) };
      onText('Done, ');
      onText('all of it.');
      return { type: 'finish', text: 'Done, all of it.' };

      function callOf(index: number) {
        const tool = context.tools[index % context.tools.length]!;
        const args = Object.entries(tool.parameters.properties).map(([name, { type }]) => [
          name,
          type === 'string' ? 'Go on' : done,
        ]);
        return { tool_id: tool.tool_id, args: Object.fromEntries(args) };
      }
    },
  };
}
