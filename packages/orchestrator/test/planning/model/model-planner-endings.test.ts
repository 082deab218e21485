import { APICallError, LoadAPIKeyError, NoSuchModelError, type LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import { callStep, constraints, okCall, planContext, toolsOf } from '../plan-fixtures.js';
import { scriptedModel, type ScriptedTurn } from './scripted-model.js';

const next = (turns: ScriptedTurn[] | LanguageModel, context = planContext(), { maxRetries = 0 } = {}) =>
  modelPlanner({ model: Array.isArray(turns) ? scriptedModel(turns) : turns, maxRetries }).next(context, {
    signal: new AbortController().signal,
    onText: () => undefined,
  });

describe('a turn with the finish reason', () => {
  it.each<[NonNullable<ScriptedTurn['finish']>, string]>([
    ['length', 'PLANNER_LENGTH'],
    ['content-filter', 'PLANNER_REFUSED'],
    ['error', 'PLANNER_UNAVAILABLE'],
    ['interrupted', 'PLANNER_UNAVAILABLE'],
  ])('%s fails with %s', async (finish, code) => {
    await expect(next([{ text: ['Half an ans'], finish }])).rejects.toMatchObject({
      code,
      details: { finish_reason: finish },
      usage: { input_tokens: 100 },
    });
  });

  it('interrupted is asked for once more if it came before any text', async () => {
    const model = scriptedModel([{ finish: 'interrupted' }, { text: ['Well.'] }]);
    await expect(next(model, planContext(), { maxRetries: 1 })).resolves.toMatchObject({ text: 'Well.' });
    const broken = scriptedModel([{ text: ['Half'], finish: 'interrupted' }, { text: ['Well.'] }]);
    await expect(next(broken, planContext(), { maxRetries: 1 })).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
    });
  });

  it('other is an answer unless it has no text', async () => {
    await expect(next([{ text: ['Hello.'], finish: 'other' }])).resolves.toMatchObject({ text: 'Hello.' });
    await expect(next([{ finish: 'other' }])).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
      message: expect.stringContaining('before the answer was complete'),
    });
  });
});

const answered = (statusCode: number | undefined, said = 'it is so') =>
  new APICallError({
    message: 'refused',
    url: 'https://x.test',
    requestBodyValues: {},
    responseBody: JSON.stringify({ error: { message: said } }),
    isRetryable: false,
    ...(statusCode === undefined ? {} : { statusCode }),
  });

it.each<[string, Error, string, string]>([
  ['no response at all', answered(undefined), 'PLANNER_UNAVAILABLE', 'cannot be reached'],
  ['200', answered(200), 'PLANNER_UNAVAILABLE', 'before the answer was complete'],
  ['400', answered(400), 'PLANNER_REJECTED', 'rejected the request (400): it is so'],
  ['401', answered(401), 'PLANNER_REJECTED', 'rejected the request (401). Check the model’s key'],
  ['402', answered(402), 'PLANNER_REJECTED', 'rejected the request (402).'],
  [
    '404',
    answered(404),
    'PLANNER_REJECTED',
    'rejected the request (404): it is so. Check the name of the model and the URL of its service (SVC_MODEL_BASE_URL).',
  ],
  [
    '404 without a reason',
    answered(404, ''),
    'PLANNER_REJECTED',
    'rejected the request (404). Check the name of the model',
  ],
  ['408', answered(408), 'PLANNER_UNAVAILABLE', 'answered 408'],
  ['413', answered(413), 'PLANNER_REJECTED', 'rejected the request (413): it is so'],
  ['429', answered(429), 'PLANNER_RATE_LIMITED', 'Try again later'],
  ['500', answered(500), 'PLANNER_UNAVAILABLE', 'answered 500'],
  ['a missing key', new LoadAPIKeyError({ message: 'none' }), 'PLANNER_CONFIGURATION', 'its key'],
  [
    'an unknown model',
    new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
    'PLANNER_CONFIGURATION',
    'its name',
  ],
  ['a timeout', new DOMException('late', 'TimeoutError'), 'PLANNER_UNAVAILABLE', 'took too long'],
  [
    'an unexpected error',
    new DOMException('odd', 'DataError'),
    'PLANNER_UNAVAILABLE',
    'before the answer was complete',
  ],
])('explains a model call that fails with %s', async (_, refuse, code, words) => {
  await expect(next([{ refuse }])).rejects.toMatchObject({
    code,
    cause: refuse,
    message: expect.stringContaining(words),
  });
});

it.each<[unknown, string, string]>([
  [{ message: 'slow down', code: 429 }, 'PLANNER_RATE_LIMITED', 'Try again later'],
  [{ message: 'slow down', type: 'rate_limit_error' }, 'PLANNER_RATE_LIMITED', 'Try again later'],
  [
    { type: 'response.failed', response: { error: { code: 'invalid_prompt', message: 'flagged' } } },
    'PLANNER_REJECTED',
    'rejected the request (400): flagged',
  ],
  [{ message: 'long', code: 'context_length_exceeded' }, 'PLANNER_REJECTED', '(400): long'],
  [
    { message: 'for key x', type: 'authentication_error' },
    'PLANNER_REJECTED',
    '(401). Check the model’s key',
  ],
  [{ message: 'it broke', code: 'server_error' }, 'PLANNER_UNAVAILABLE', 'stopped with an error: it broke'],
  [{ message: 'no api key', code: 503 }, 'PLANNER_UNAVAILABLE', 'stopped with an error.'],
  ['odd', 'PLANNER_UNAVAILABLE', 'before the answer was complete'],
])('explains an error in the middle of an answer: %j', async (error, code, words) => {
  await expect(next([{ text: ['Half an ans'], error }])).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  });
});

/** A run without planning rounds left, which may only answer. */
const answerOnly = planContext({
  tools: toolsOf({ name: 'find' }),
  constraints: constraints({ max_cycles: 1 }),
  steps: [callStep(okCall('find'))],
});
/** A run whose answer a tool must make. */
const callOnly = planContext({
  tools: toolsOf({ name: 'report', final_tool: true }),
  constraints: constraints({ force_final_tool: true }),
});

describe('a turn that ignores the tool choice', () => {
  it.each<[string, PlanContext, ScriptedTurn, object]>([
    [
      'with a call instead of an answer',
      answerOnly,
      { text: ['Once more.'], calls: [{ name: 'find', args: { q: 'x' } }] },
      { type: 'call', text: 'Once more.', calls: [{ tool_id: 't-find', args: { q: 'x' } }] },
    ],
    ['with an answer instead of a call', callOnly, { text: ['Two.'] }, { type: 'finish', text: 'Two.' }],
  ])('%s is passed on to the planning rules', async (_, context, turn, step) => {
    const usage = { input_tokens: 100 };
    await expect(next([turn], context)).resolves.toMatchObject({ ...step, usage });
  });

  it('is sent back to the model if its calls are malformed', async () => {
    const broken: ScriptedTurn = { calls: [{ name: 'find', args: '{"q":' }] };
    const model = scriptedModel([broken, { text: ['Well.'] }]);
    await expect(next(model, answerOnly)).resolves.toMatchObject({ type: 'finish', text: 'Well.' });
    expect(JSON.stringify(model.doStreamCalls[1]?.prompt)).toContain('The arguments of find are not a JSON');
  });

  it('fails with PLANNER_LENGTH if it was cut off before its call', async () => {
    const cut: ScriptedTurn = { text: ['I will now'], finish: 'length' };
    await expect(next([cut], callOnly)).rejects.toMatchObject({ code: 'PLANNER_LENGTH' });
  });
});
