import type { LanguageModel } from 'ai';
import { modelFromEnvironment } from '../../../src/planning/model/model-from-environment.js';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import type { ModelPlannerOptions } from '../../../src/planning/model/model-request.js';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import { planContext, toolsOf } from '../plan-fixtures.js';
import {
  anthropicStream,
  openAiStream,
  wireServer,
  type WireAnswer,
  type WireServer,
} from './wire-server.js';

const tools = toolsOf(
  {
    name: 'add',
    description: 'Add two numbers',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  { name: 'now', description: 'The time' },
);

/** The context of a test that does not pass one. */
export const context = planContext({ request: 'Add 1 and 2, and tell the time', tools });

type Sketch = { text?: string; calls?: { id: string; name: string; args: string }[]; finish?: string };

/** Both wires: each behaviour is tested on both. */
export const wires = [
  {
    name: 'OpenAI-compatible',
    path: '/v1/chat/completions',
    stream: (sketch: Sketch): WireAnswer => ({ events: openAiStream(sketch) }),
    lengthStop: 'length',
    model: (server: WireServer, key = 'key-1') =>
      modelFromEnvironment({
        SVC_MODEL: 'test',
        SVC_MODEL_BASE_URL: `${server.url}/v1`,
        SVC_MODEL_API_KEY: key,
      }),
    keyHeader: (server: WireServer) => server.requests[0]?.headers['authorization'],
    keyValue: 'Bearer key-1',
    refusal: (): WireAnswer => ({ events: openAiStream({ refusal: 'I will not do that.' }) }),
  },
  {
    name: 'Anthropic',
    path: '/v1/messages',
    stream: (sketch: Sketch): WireAnswer => ({ events: anthropicStream(sketch) }),
    lengthStop: 'max_tokens',
    model: (server: WireServer, key = 'key-1') =>
      modelFromEnvironment({
        SVC_MODEL: 'anthropic:claude-sonnet-4-5',
        SVC_MODEL_BASE_URL: `${server.url}/v1`,
        SVC_MODEL_API_KEY: key,
      }),
    keyHeader: (server: WireServer) => server.requests[0]?.headers['x-api-key'],
    keyValue: 'key-1',
    refusal: (): WireAnswer => ({ events: anthropicStream({ text: 'I', finish: 'refusal' }) }),
  },
];

type Wire = (typeof wires)[number];

/** The model from an environment, which must name one. */
export async function modelOf(model: Promise<LanguageModel | undefined>): Promise<LanguageModel> {
  const found = await model;
  if (!found) throw new Error('no model');
  return found;
}

/** Creates a planner whose service gives these answers over a wire; `next` asks it for a step and collects its text. */
export const serving =
  (wire: Wire) =>
  async (script: WireAnswer[], options: Partial<ModelPlannerOptions> = {}) => {
    const server = await wireServer(script);
    const planner = modelPlanner({ model: await modelOf(wire.model(server)), maxRetries: 0, ...options });
    const next = (where: PlanContext = context) => {
      const deltas: string[] = [];
      const said = Promise.withResolvers<void>();
      const { signal } = new AbortController();
      const onText = (delta: string) => {
        deltas.push(delta);
        said.resolve();
      };
      return { deltas, said: said.promise, step: planner.next(where, { signal, onText }) };
    };
    return { server, planner, next, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
