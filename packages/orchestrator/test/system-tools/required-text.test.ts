import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@svc/contracts';
import type { CallOutcome, PlanContext } from '../../src/planning/plan-context.js';
import { modelPlanner } from '../../src/planning/model/model-planner.js';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { nextCalls } from '../../src/planning/policy/next-calls.js';
import { settleStep } from '../../src/planning/policy/settle-step.js';
import type { Planner } from '../../src/planning/planner.js';
import { composeTool } from '../../src/system-tools/compose.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { callStep } from '../planning/plan-fixtures.js';
import { scriptedModel } from '../planning/model/scripted-model.js';
import { contextOf, io, composeCall } from './compose-fixtures.js';

/** Plays a run in which the toolbox runs the calls of compose. */
async function playComposed(start: PlanContext, planner: Planner, person: JsonValue) {
  const toolbox = new SystemToolbox([composeTool(planner)]);
  const log: string[] = [];
  let context = start;
  for (let turn = 0; turn < 12; turn += 1) {
    const step = await planner.next(context, {
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    const result = settleStep(step, context);
    if (!result.ok) {
      context = {
        ...context,
        steps: [...context.steps, { type: 'feedback', rejected: step, problems: result.problems }],
      };
    } else if (result.step.type === 'finish') {
      return { log, text: result.step.text };
    } else if (result.step.type === 'ask') {
      log.push(`? ${result.step.questions[0]?.prompt.split('\n')[0]}`);
      const answers = Object.fromEntries(
        result.step.questions.map((question) => [question.question_id, person]),
      );
      context = { ...context, steps: [...context.steps, { ...result.step, answers }] };
    } else {
      const calls = result.step.calls.map((call, index) => ({ ...call, call_id: `c${turn}-${index}` }));
      const next = nextCalls({
        calls,
        inFlight: new Set(),
        tools: context.tools,
        earlier: [],
        constraints: context.constraints,
      });
      const done = [];
      for (const call of calls) {
        log.push(call.tool_id.replace(/^t-/, ''));
        const io = {
          context: { ...context, steps: [...context.steps, { type: 'call' as const, calls }] },
          signal: new AbortController().signal,
          onChunk: () => undefined,
          onUsage: () => undefined,
        };
        const plain: CallOutcome = {
          status: 'ok',
          result: call.tool_id === 't-send_report' ? { sent: call.args['body'] ?? null } : { lines: 3400 },
        };
        done.push({ ...call, outcome: call.tool_id === 'compose' ? await toolbox.run(call, io) : plain });
      }
      expect(next.start).toHaveLength(calls.length);
      context = { ...context, steps: [...context.steps, { type: 'call', calls: done }] };
    }
  }
  throw new Error('the run does not end');
}

describe('a required text', () => {
  const request = 'Count the lines of src and send a report';

  it('is composed by the offline planner from earlier results, and sent once approved', async () => {
    const start = contextOf(
      { mode: 'require', approval: 'explicit' },
      { messages: [{ role: 'user', content: request }] },
    );
    const played = await playComposed(start, offlinePlanner(), 'yes');
    expect(played.log).toEqual([
      'count_lines',
      'compose',
      '? Use this text for send_report.body?',
      'send_report',
    ]);
    expect(played.text).toContain('3400');
  });

  it('is not sent when the user does not approve', async () => {
    const start = contextOf(
      { mode: 'require', approval: 'explicit' },
      { messages: [{ role: 'user', content: request }] },
    );
    const played = await playComposed(start, offlinePlanner(), 'no');
    expect(played.log).not.toContain('send_report');
    expect(played.text).toContain('did not approve');
  });

  it('is composed by a model that may not call tools', async () => {
    const model = scriptedModel([{ text: ['3400 ', 'lines.'] }]);
    const context = contextOf(
      { mode: 'require', approval: 'none' },
      { steps: [callStep({ call_id: 'k', tool_id: 'compose', args: {} })] },
    );
    const where = io(context);
    const outcome = new SystemToolbox([composeTool(modelPlanner({ model }))]).run(
      composeCall({ target: 'send_report.body', instructions: 'Say how many.' }),
      where,
    );
    await expect(outcome).resolves.toMatchObject({ result: { text: '3400 lines.' } });
    expect(where.recorded.text).toBe('3400 lines.');
    const [call] = model.doStreamCalls;
    expect(call?.toolChoice).toEqual({ type: 'none' });
    expect(JSON.stringify(call?.prompt.at(-1))).toContain('Say how many.');
  });
});
