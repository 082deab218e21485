import { describe, expect, it } from 'vitest';
import type { Planner } from '../../../src/planning/planner.js';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import type { PlanStep } from '../../../src/planning/plan-step.js';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import { offlinePlanner } from '../../../src/planning/offline/offline-planner.js';
import { startOf } from '../cases/planning-case.js';
import { planningCases } from '../cases/planning-cases.js';
import { play } from '../play.js';
import { scriptedModel, type ScriptedTurn } from './scripted-model.js';

/** Plays a case with the offline planner and records its steps. */
async function recordSteps(start: PlanContext, rest: Omit<Parameters<typeof play>[1], 'planner'>) {
  const steps: PlanStep[] = [];
  const offline = offlinePlanner();
  const planner: Planner = {
    name: 'recorded',
    next: async (context, io) => {
      const step = await offline.next(context, io);
      steps.push(step);
      return step;
    },
  };
  return { played: await play(start, { planner, ...rest }), steps };
}

/** Returns the model turn that makes the same decision as a step. */
function turnOf(step: PlanStep, names: ToolNames): ScriptedTurn {
  if (step.type === 'call')
    return { calls: step.calls.map(({ tool_id, args }) => ({ name: names.nameOf(tool_id), args })) };
  if (step.type === 'ask') {
    const questions = step.questions.map(({ prompt, input_type, choices }) => ({
      prompt,
      input_type,
      ...(choices ? { choices: [...choices] } : {}),
    }));
    return { calls: [{ name: 'ask_person', args: { questions } }] };
  }
  return { text: step.text.match(/[\s\S]{1,40}/g) ?? [] };
}

describe('planning cases, planned by a model', () => {
  for (const each of planningCases) {
    it(each.name, async () => {
      const [request = ''] = each.requests;
      const start = startOf(each, request);
      const { answers, person = {} } = each;
      const recorded = await recordSteps(start, { answers, person });
      const names = new ToolNames(start);
      const model = scriptedModel(recorded.steps.map((step) => turnOf(step, names)));
      // A model's questions name no argument, so the user's answers are matched by the order of the questions.
      const answersInOrder = recorded.steps.flatMap((step) =>
        step.type === 'ask' ? step.questions.map((question) => question.arg_name ?? '') : [],
      );
      const byPrompt = { '': person[answersInOrder[0] ?? ''] ?? null };
      const played = await play(start, { planner: modelPlanner({ model }), answers, person: byPrompt });
      expect(played.waves).toEqual(recorded.played.waves);
      expect(played.text).toBe(recorded.played.text);
      expect(played.streamed).toContain(played.text);
      expect(played.result).toEqual(recorded.played.result);
      const shown = JSON.stringify(model.doStreamCalls.at(-1)?.prompt ?? []);
      expect(shown).toContain(JSON.stringify(start.messages.at(-1)?.content).slice(1, 20));
      expect(model.doStreamCalls.length).toBe(recorded.steps.length);
    });
  }
});
