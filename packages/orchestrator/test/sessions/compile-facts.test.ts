import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { compileFacts } from '../../src/sessions/compile-facts.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { request } from '../support/requests.js';

const factsOf = (rest: object, runTimeoutMs = 60_000) =>
  compileFacts({
    record: { sessionId: 's', projectId: 'p', createdAtMs: 0 },
    request: SessionRequestSchema.parse(request('go', [], rest)),
    earlier: [],
    toolbox: new SystemToolbox([]),
    limits: { maxCycles: 1, runTimeoutMs, toolTimeoutMs: 1, checkpointTtlMs: 1 },
  });

it.each([
  ['what the request asks for', 5, 60_000, 5_000],
  ['never more than the limit', 90, 60_000, 60_000],
  ['the limit where the request asks for none of its own', 0, 60_000, 60_000],
  ['the limit where the request says nothing', undefined, 60_000, 60_000],
])('the time of a run is %s', (_, timeout, limitMs, runTimeoutMs) => {
  expect(factsOf({ execution_config: { timeout } }, limitMs).runTimeoutMs).toBe(runTimeoutMs);
});

describe('whose run it is', () => {
  it.each([
    ['the swarm', { swarm_id: 'sw', swarm_name: 'desk' }, { type: 'swarm', id: 'sw', name: 'desk' }],
    ['the agent of the request', {}, { type: 'agent', id: 'a-1' }],
    [
      'the member that is invoked, before that',
      { invoked_agent_id: 'a-2', invoked_agent_name: 'writer' },
      { type: 'agent', id: 'a-2', name: 'writer' },
    ],
  ])('is %s', (_, swarm_config, scope) => {
    expect(factsOf({ swarm_config, execution_config: { agent_id: 'a-1' } }).scope).toEqual(scope);
  });
});
