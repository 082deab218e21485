import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@svc/contracts';
import type { RecordedStep } from '../../src/planning/plan-context.js';
import type { CallStep, PlanStep } from '../../src/planning/plan-step.js';
import { modelPlanner } from '../../src/planning/model/model-planner.js';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { placeArtifacts } from '../../src/planning/policy/compose-artifacts.js';
import { planTools } from '../../src/planning/policy/plan-tools.js';
import { settleStep } from '../../src/planning/policy/settle-step.js';
import type { Planner } from '../../src/planning/planner.js';
import { PlannerError } from '../../src/planning/planner-error.js';
import { composeTool } from '../../src/system-tools/compose.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { planContext } from '../planning/plan-fixtures.js';
import { scriptedModel } from '../planning/model/scripted-model.js';
import { type Policy, specs, writer, contextOf, io, composeCall, composed } from './compose-fixtures.js';

describe('compose', () => {
  const run = (args: JsonObject, given: Policy = { mode: 'allow', approval: 'none' }, text = 'Dear all.') => {
    const context = contextOf(given);
    const where = io(context);
    return { where, outcome: new SystemToolbox([composeTool(writer(text))]).run(composeCall(args), where) };
  };
  const target = 'send_report.body';

  it('writes a text for an argument and returns it with an artifact id', async () => {
    const { where, outcome } = run({ target, instructions: 'Greet.' });
    const artifact_id = expect.stringMatching(/^artifact:[0-9a-f]{24}$/);
    await expect(outcome).resolves.toEqual({
      status: 'ok',
      result: { artifact_id, target, text: 'Dear all.' },
    });
    expect(where.recorded.usage).toEqual([{ total_tokens: 9 }]);
  });

  it('reports a text that was cut off, and counts its tokens', async () => {
    const context = contextOf({ mode: 'allow', approval: 'none' });
    const where = io(context);
    const planner = modelPlanner({ model: scriptedModel([{ text: ['Dear'], finish: 'length' }]) });
    const toolbox = new SystemToolbox([composeTool(planner)]);
    const call = composeCall({ target, instructions: 'Greet.' });
    // The planner receives the reason, so that it can ask for less.
    await expect(toolbox.run(call, where)).resolves.toMatchObject({
      error: { code: 'SYSTEM_TOOL_FAILED', retryable: false, message: expect.stringContaining('cut off') },
    });
    expect(where.recorded.usage).toMatchObject([{ input_tokens: 100, output_tokens: 20 }]);
  });

  it.each<[what: string, composed: unknown, place: string]>([
    ['text', { text: 5 }, 'text'],
    ['token count', { text: 'Dear all.', usage: { input_tokens: Number.NaN } }, 'usage.input_tokens'],
  ])('refuses an invalid %s of a planner and says where it is', async (_, answer, place) => {
    const planner = { ...offlinePlanner(), compose: async () => answer } as Planner;
    const where = io(contextOf({ mode: 'allow', approval: 'none' }));
    const toolbox = new SystemToolbox([composeTool(planner)]);
    await expect(toolbox.run(composeCall({ target, instructions: 'Greet.' }), where)).resolves.toMatchObject({
      error: { code: 'SYSTEM_TOOL_FAILED', message: expect.stringContaining(`invalid text: ${place}: `) },
    });
    expect(where.recorded.usage).toEqual([]);
  });

  it('does not count invalid tokens of a planner that failed', async () => {
    const error = new PlannerError('Too long.', { code: 'PLANNER_LENGTH' });
    error.usage = { input_tokens: -1 };
    const planner: Planner = { ...offlinePlanner(), compose: () => Promise.reject(error) };
    const where = io(contextOf({ mode: 'allow', approval: 'none' }));
    const toolbox = new SystemToolbox([composeTool(planner)]);
    await expect(toolbox.run(composeCall({ target, instructions: 'Greet.' }), where)).resolves.toMatchObject({
      error: { message: expect.stringContaining('Too long.') },
    });
    expect(where.recorded.usage).toEqual([]);
  });

  it('gives equal texts the same artifact id and different texts different ones', async () => {
    const idOf = async (text: string) =>
      JSON.stringify(await run({ target, instructions: 'x' }, undefined, text).outcome);
    expect(await idOf('one')).not.toBe(await idOf('two'));
    expect(await idOf('one')).toBe(await idOf('one'));
  });

  it.each([
    [
      'an unknown argument',
      'COMPOSE_TARGET_UNKNOWN',
      { target: 'send_report.subject', instructions: 'x' },
      'allow',
      'Dear all.',
    ],
    [
      'an argument that must not be composed',
      'COMPOSE_FORBIDDEN',
      { target: 'send_report.body', instructions: 'x' },
      'forbid',
      'Dear all.',
    ],
    ['a blank text', 'COMPOSE_EMPTY', { target: 'send_report.body', instructions: 'x' }, 'allow', '  '],
    [
      'a text longer than the schema allows',
      'SYSTEM_TOOL_FAILED',
      { target: 'send_report.body', instructions: 'x' },
      'allow',
      'x'.repeat(500),
    ],
  ] as const)('fails for %s with %s', async (_, code, args, mode, text) => {
    await expect(run(args, { mode, approval: 'none' }, text).outcome).resolves.toMatchObject({
      status: 'error',
      error: { code },
    });
  });

  it('writes at most 100,000 characters when the schema sets no limit', async () => {
    const written = (length: number) =>
      run({ target: 'count_lines.folder', instructions: 'x' }, undefined, 'x'.repeat(length)).outcome;
    await expect(written(100_000)).resolves.toMatchObject({ status: 'ok' });
    await expect(written(100_001)).resolves.toMatchObject({
      error: { code: 'SYSTEM_TOOL_FAILED', retryable: true, message: expect.stringContaining('100000') },
    });
  });

  it('is offered only when an argument may be composed and the planner can compose', () => {
    const offered = (given: Policy, planner: Planner) => {
      const context = planContext({ tools: planTools(specs(given)) });
      return new SystemToolbox([composeTool(planner)]).offer(undefined, context).length;
    };
    const mute: Planner = { name: 'mute', next: offlinePlanner().next };
    expect(offered({ mode: 'allow', approval: 'none' }, offlinePlanner())).toBe(1);
    expect(offered({ mode: 'forbid', approval: 'none' }, offlinePlanner())).toBe(0);
    expect(offered({ mode: 'allow', approval: 'none' }, mute)).toBe(0);
    const silent = Object.assign(offlinePlanner(), { compose: null }) as object as Planner;
    expect(offered({ mode: 'allow', approval: 'none' }, silent)).toBe(0);
  });
});

describe('composed arguments', () => {
  const artifact = { artifact_id: 'artifact:1', target: 'send_report.body', text: 'Dear all.' };
  const send = (body: string): CallStep => ({
    type: 'call',
    calls: [{ tool_id: 't-send_report', args: { body } }],
  });
  const settled = (step: PlanStep, given: Policy, ...steps: RecordedStep[]) =>
    settleStep(step, contextOf(given, { steps }));

  it('replace the artifact id in a call', () => {
    expect(
      settled(send('artifact:1'), { mode: 'allow', approval: 'none' }, composed(artifact)),
    ).toMatchObject({
      ok: true,
      step: { calls: [{ args: { body: 'Dear all.' } }] },
    });
  });

  it('are mandatory when the policy requires them', () => {
    const required: Policy = { mode: 'require', approval: 'none' };
    expect(settled(send('My own words.'), required, composed(artifact))).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('has to be written by compose')],
    });
    expect(settled(send('artifact:1'), required, composed(artifact)).ok).toBe(true);
  });

  it('are refused for an argument other than the one they were written for', () => {
    const other = { ...artifact, target: 'count_lines.folder' };
    expect(settled(send('artifact:1'), { mode: 'allow', approval: 'none' }, composed(other))).toMatchObject({
      problems: [expect.stringContaining('was written for count_lines.folder')],
    });
  });

  it('are shown in full for approval, however long', () => {
    const text = `${'x'.repeat(50_000)} the end`;
    const context = contextOf(
      { mode: 'require', approval: 'explicit' },
      {
        steps: [composed({ ...artifact, text })],
      },
    );
    const tool = context.tools.find(({ name }) => name === 'send_report');
    const call = { tool_id: 'send_report', args: { body: 'artifact:1' } };
    expect(tool && placeArtifacts(call, tool, context).questions).toMatchObject([
      { prompt: `Use this text for send_report.body?\n\n${text}` },
    ]);
  });

  it('wait for approval when the policy requires it, and follow the latest answer', () => {
    const explicit: Policy = { mode: 'require', approval: 'explicit' };
    const asked = settled(send('artifact:1'), explicit, composed(artifact));
    expect(asked).toMatchObject({
      step: {
        type: 'ask',
        questions: [
          {
            question_id: 'approve:artifact:1',
            input_type: 'boolean',
            prompt: expect.stringContaining('Dear all.'),
          },
        ],
      },
    });
    const questions = asked.ok && asked.step.type === 'ask' ? asked.step.questions : [];
    const answered = (answer: JsonValue): RecordedStep => ({
      type: 'ask',
      questions,
      answers: { 'approve:artifact:1': answer },
    });
    expect(settled(send('artifact:1'), explicit, composed(artifact), answered('yes'))).toMatchObject({
      step: { type: 'call' },
    });
    for (const refusal of ['no', null])
      expect(settled(send('artifact:1'), explicit, composed(artifact), answered(refusal))).toMatchObject({
        problems: [expect.stringContaining('did not approve')],
      });
    // Someone who is asked again may change their mind, either way.
    const isSettled = (...answers: JsonValue[]) =>
      settled(send('artifact:1'), explicit, composed(artifact), ...answers.map(answered)).ok;
    expect([isSettled('no', 'yes'), isSettled('yes', 'no')]).toEqual([true, false]);
  });

  it('are shown once for approval, although two calls need it: answers are returned by id', () => {
    const { calls } = send('artifact:1');
    const twice: CallStep = { type: 'call', calls: [...calls, ...calls] };
    const explicit: Policy = { mode: 'require', approval: 'explicit' };
    expect(settled(twice, explicit, composed(artifact))).toMatchObject({
      step: { type: 'ask', questions: [{ question_id: 'approve:artifact:1' }] },
    });
  });

  it('are not approved by the answer to another question with the same id', () => {
    const explicit: Policy = { mode: 'require', approval: 'explicit' };
    const shown = { question_id: 'approve:artifact:1', input_type: 'boolean', prompt: 'Continue?' } as const;
    const answers = { 'approve:artifact:1': true };
    const other: RecordedStep = { type: 'ask', questions: [shown], answers };
    expect(settled(send('artifact:1'), explicit, composed(artifact), other)).toMatchObject({
      step: { type: 'ask', questions: [{ prompt: expect.stringContaining('Dear all.') }] },
    });
  });

  it('are refused when the policy forbids them, even if the artifact exists', () => {
    const forbidden: Policy = { mode: 'forbid', approval: 'none' };
    expect(settled(send('artifact:1'), forbidden, composed(artifact))).toMatchObject({
      problems: [expect.stringContaining('may not be written by compose')],
    });
  });
});
