import { expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { environmentTwin } from '../environment-twin.js';

type Api = Client['memory'];

/** null, which JavaScript callers can pass where the types require a value. */
const never = null as never;

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

it.each<[string, (api: Api) => unknown, string, string]>([
  [
    'a query that is not an object',
    (api) => api.skills.list('refund' as never),
    'CONFIG_INVALID_OPTION',
    'skills.list expects an object',
  ],
  [
    'an unknown filter of skills',
    (api) => api.skills.list({ serach: 'x' } as never),
    'CONFIG_UNKNOWN_OPTION',
    'serach',
  ],
  [
    'an unknown filter of insights',
    (api) => api.insights.list({ kind: 'x' } as never),
    'CONFIG_UNKNOWN_OPTION',
    'kind',
  ],
  [
    'an unknown filter of resources',
    (api) => api.resources.list({ tag: 'x' } as never),
    'CONFIG_UNKNOWN_OPTION',
    'tag',
  ],
  [
    'an unknown filter of unbound resources',
    (api) => api.resources.listUnbound({ age: 1 } as never),
    'CONFIG_UNKNOWN_OPTION',
    'age',
  ],
  [
    'options that are not an object',
    (api) => api.skills.get('s-1', 5 as never),
    'CONFIG_INVALID_OPTION',
    'expects an object',
  ],
  [
    'a signal that is not an AbortSignal',
    (api) => api.skills.get('s-1', { signal: {} as never }),
    'CONFIG_INVALID_OPTION',
    'must be an AbortSignal',
  ],
  [
    'a skill with a BigInt in a step',
    (api) => api.skills.create({ name: 'Refund', steps: [{ tool: 'pay', cents: 5n }] }),
    'CONFIG_INVALID_OPTION',
    'steps[0]',
  ],
  [
    'changes of a skill that contain themselves',
    (api) => api.skills.update('s-1', { metadata: cyclic }),
    'CONFIG_INVALID_OPTION',
    'metadata',
  ],
  [
    'a promotion without a scope',
    (api) => api.insights.promote('i-1', never),
    'CONFIG_INVALID_OPTION',
    'insights.promote',
  ],
  [
    'a binding without a target',
    (api) => api.resources.bind('r-1', never),
    'CONFIG_INVALID_OPTION',
    'resources.bind',
  ],
  [
    'an unknown field of a policy',
    (api) => api.policy('o').update({ enabeld: false } as never),
    'CONFIG_UNKNOWN_OPTION',
    'enabeld',
  ],
  ['a purge without options', (api) => api.policy('o').purge(never), 'CONFIG_INVALID_OPTION', 'policy.purge'],
  ['a blank id', (api) => api.skills.delete(' '), 'CONFIG_INVALID_OPTION', 'must be a non-blank string'],
  ['an id of one dot', (api) => api.skills.get('.'), 'CONFIG_INVALID_OPTION', 'must be a non-blank string'],
  ['an id of two dots', (api) => api.policy('..'), 'CONFIG_INVALID_OPTION', "got '..'"],
  ['an insight without an id', (api) => api.insights.get(never), 'CONFIG_INVALID_OPTION', 'got null'],
  [
    'a resource whose id is a number',
    (api) => api.resources.restore(5 as never),
    'CONFIG_INVALID_OPTION',
    'got number',
  ],
  [
    'an organization without an id',
    (api) => api.policy(never),
    'CONFIG_INVALID_OPTION',
    'organizationId must be',
  ],
])('memory administration refuses %s before it sends a request', async (_name, call, code, naming) => {
  await using client = new Client(
    { apiKey: 'key', baseUrl: 'http://127.0.0.1:9', projectId: 'p' },
    { environment: environmentTwin() },
  );
  await expect((async () => call(client.memory))()).rejects.toMatchObject({
    code,
    message: expect.stringContaining(naming),
  });
});
