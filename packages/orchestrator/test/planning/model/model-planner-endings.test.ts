import { APICallError, LoadAPIKeyError, NoSuchModelError } from 'ai';
import { describe, expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { planContext } from '../plan-fixtures.js';
import { scriptedModel, type ScriptedTurn } from './scripted-model.js';

const next = (turns: ScriptedTurn[]) =>
  modelPlanner({ model: scriptedModel(turns), maxRetries: 0 }).next(planContext(), {
    signal: new AbortController().signal,
    onText: () => undefined,
  });

describe('a turn that ends by', () => {
  it.each<[NonNullable<ScriptedTurn['finish']>, string]>([
    ['length', 'PLANNER_LENGTH'],
    ['content-filter', 'PLANNER_REFUSED'],
    ['error', 'PLANNER_UNAVAILABLE'],
    ['interrupted', 'PLANNER_UNAVAILABLE'],
  ])('%s is no answer: %s', async (finish, code) => {
    await expect(next([{ text: ['Half an ans'], finish }])).rejects.toMatchObject({
      code,
      details: { finish_reason: finish },
      usage: { input_tokens: 100 },
    });
  });

  it('other is an answer, unless nothing was said', async () => {
    await expect(next([{ text: ['Hello.'], finish: 'other' }])).resolves.toMatchObject({ text: 'Hello.' });
    await expect(next([{ finish: 'other' }])).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
      message: expect.stringContaining('broke off'),
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
  ['no answer at all', answered(undefined), 'PLANNER_UNAVAILABLE', 'cannot be reached'],
  ['200', answered(200), 'PLANNER_UNAVAILABLE', 'broke off'],
  ['400', answered(400), 'PLANNER_REJECTED', 'refused the request (400): it is so'],
  ['401', answered(401), 'PLANNER_REJECTED', 'refused the request (401). Check the model’s key'],
  ['402', answered(402), 'PLANNER_REJECTED', 'refused the request (402).'],
  ['408', answered(408), 'PLANNER_UNAVAILABLE', 'answered 408'],
  ['413', answered(413), 'PLANNER_REJECTED', 'refused the request (413): it is so'],
  ['429', answered(429), 'PLANNER_RATE_LIMITED', 'Try again later'],
  ['500', answered(500), 'PLANNER_UNAVAILABLE', 'answered 500'],
  ['no key', new LoadAPIKeyError({ message: 'none' }), 'PLANNER_CONFIGURATION', 'its key'],
  [
    'no such model',
    new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
    'PLANNER_CONFIGURATION',
    'its name',
  ],
  ['a time limit', new DOMException('late', 'TimeoutError'), 'PLANNER_UNAVAILABLE', 'took too long'],
  ['another fault', new DOMException('odd', 'DataError'), 'PLANNER_UNAVAILABLE', 'broke off'],
])('a model call that fails with %s says so', async (_, refuse, code, words) => {
  await expect(next([{ refuse }])).rejects.toMatchObject({
    code,
    cause: refuse,
    message: expect.stringContaining(words),
  });
});
