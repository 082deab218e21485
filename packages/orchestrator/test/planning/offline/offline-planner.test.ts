import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../../src/planning/offline/offline-planner.js';
import { startOf } from '../cases/planning-case.js';
import { planningCases } from '../cases/planning-cases.js';
import { callStep, constraints, failedCall, planContext, resultOf, toolsOf } from '../plan-fixtures.js';
import { play } from '../play.js';

describe('planning cases', () => {
  for (const each of planningCases) {
    it.each(each.requests)(`${each.name}: %s`, async (request) => {
      const { answers, person = {} } = each;
      const played = await play(startOf(each, request), { planner: offlinePlanner(), answers, person });
      const sorted = (waves: readonly (readonly string[])[]) => waves.map((wave) => wave.toSorted());
      expect(sorted(played.waves)).toEqual(sorted(each.steps));
      for (const said of each.says ?? []) expect(played.text).toMatch(said);
      for (const unsaid of each.saysNot ?? []) expect(played.text).not.toMatch(unsaid);
      if (each.result !== undefined) expect(played.result).toEqual(each.result);
    });
  }

  it('number at least 60', () => {
    expect(planningCases.length).toBeGreaterThanOrEqual(60);
  });
});

describe('tools that must run', () => {
  it.each(['supervisor_loop', 'single_shot_dag'] as const)(
    'run in several steps if there are too many for one, in mode %s',
    async (mode) => {
      const names = Array.from({ length: 150 }, (_none, index) => `audit_${index}`);
      const start = planContext({
        request: 'Hello',
        tools: toolsOf(...names.map((name) => ({ name, always_execute: true }))),
        constraints: constraints({ mode, max_cycles: 1 }),
      });
      const { waves, endedBy } = await play(start, { planner: offlinePlanner(), answers: {} });
      expect(waves.map((wave) => wave.length)).toEqual([64, 64, 22]);
      expect(waves.flat()).toEqual(names);
      expect(endedBy).toBe('planner');
    },
  );
});

describe('a final tool', () => {
  it('is given up once the rules refused it for a failed producer of its producer', async () => {
    const text = { type: 'string' };
    const start = planContext({
      request: 'Find "tea"',
      tools: toolsOf(
        { name: 'find', properties: { text }, required: ['text'] },
        { name: 'load', properties: { found: resultOf('find') }, required: ['found'] },
        {
          name: 'report',
          properties: { loaded: resultOf('load'), text },
          required: ['loaded', 'text'],
          final_tool: true,
        },
      ),
      constraints: constraints({ force_final_tool: true }),
      steps: [callStep({ ...failedCall('find'), args: { text: 'tea' } })],
    });
    const { endedBy, context } = await play(start, { planner: offlinePlanner(), answers: {} });
    expect(endedBy).toBe('planner');
    expect(context.steps.map(({ type }) => type)).toEqual(['call', 'feedback', 'feedback']);
  });
});
