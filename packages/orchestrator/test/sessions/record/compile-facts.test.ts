import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { compileFacts } from '../../../src/sessions/record/compile-facts.js';
import { SystemToolbox } from '../../../src/system-tools/system-toolbox.js';
import { request } from '../../support/requests.js';

const factsOf = (rest: object, runTimeoutMs = 60_000) =>
  compileFacts({
    record: { sessionId: 's', projectId: 'p', createdAtMs: 0 },
    request: SessionRequestSchema.parse(request('go', [], rest)),
    earlier: [],
    toolbox: new SystemToolbox([]),
    limits: { maxCycles: 1, runTimeoutMs, toolTimeoutMs: 1, checkpointTtlMs: 1 },
  });

it.each([
  ['the one that the request asks for', 5, 60_000, 5_000],
  ['the limit when the request asks for more', 90, 60_000, 60_000],
  ['the limit when the request asks for 0', 0, 60_000, 60_000],
  ['the limit when the request sets none', undefined, 60_000, 60_000],
])('the timeout of a run is %s', (_, timeout, limitMs, runTimeoutMs) => {
  expect(factsOf({ execution_config: { timeout } }, limitMs).runTimeoutMs).toBe(runTimeoutMs);
});

describe('the scope of a run', () => {
  it.each([
    [
      'the swarm of the request',
      { swarm_id: 'sw', swarm_name: 'desk' },
      { type: 'swarm', id: 'sw', name: 'desk' },
    ],
    ['the agent of the request', {}, { type: 'agent', id: 'a-1' }],
    [
      'the invoked member rather than the agent of the request',
      { invoked_agent_id: 'a-2', invoked_agent_name: 'writer' },
      { type: 'agent', id: 'a-2', name: 'writer' },
    ],
  ])('is %s', (_, swarm_config, scope) => {
    expect(factsOf({ swarm_config, execution_config: { agent_id: 'a-1' } }).scope).toEqual(scope);
  });
});
