import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { Client, sessionsOf } from '../../src/client/client.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startAgent } from '../agent-setup.js';

const client = new Client({ apiKey: 'k' });

describe.each([
  ['agent', (options: object) => new Agent({ name: 'a', client, ...options })],
  ['swarm', (options: object) => new Swarm({ name: 'a', client, ...options })],
])('%s options', (type, make) => {
  it.each<[string, object]>([
    ['description', { description: 5 }],
    ['systemPrompt', { systemPrompt: ['Be brief.'] }],
    ['tools', { tools: 5 }],
    ['tools', { tools: 'search' }],
    ['receipts', { receipts: {} }],
    ['receipts', { receipts: { find() {}, begin() {} } }],
    ['interruptService', { interruptService: {} }],
    ['piiWhitelist', { piiWhitelist: { entries: [] } }],
    ['metadata', { metadata: { size: 1n } }],
  ])('refuse an invalid value for %s: %o', (option, options) => {
    expect(() => make(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`${type} 'a'.*${option}`, 's')),
        details: { options: [option] },
      }),
    );
  });

  it('refuse reserved metadata names', () => {
    expect(() => make({ metadata: { agent_id: 'other', team: 'billing' } })).toThrow(
      expect.objectContaining({ code: 'CONFIG_RESERVED_METADATA', details: { reserved: ['agent_id'] } }),
    );
  });

  it('refuse null instead of an object', () => {
    const build = () => (type === 'agent' ? new Agent(null as never) : new Swarm(null as never));
    expect(build).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
  });

  it('treat null as absent', () => {
    const texts = { description: null, systemPrompt: null, tools: null, privateData: null };
    const calls = { receipts: null, toolTimeoutMs: null, dependencyTimeoutMs: null, maxParallelTools: null };
    const hooks = { beforeExecute: null, afterExecute: null, hookExecutionMode: null };
    const runs = { model: null, metadata: null, interruptService: null, piiWhitelist: null, timeoutMs: null };
    expect(make({ ...texts, ...calls, ...hooks, ...runs })).toMatchObject({
      description: undefined,
      systemPrompt: undefined,
    });
  });

  it.each(['', ' \n'])('treat a blank description and system prompt as absent: %j', (blank) => {
    expect(make({ description: blank, systemPrompt: blank })).toMatchObject({
      description: undefined,
      systemPrompt: undefined,
    });
  });
});

it.each([
  ['useAsFinalOutput', 'false'],
  ['useAsFinalOutput', 1],
  ['includedNestedSynthesis', 'true'],
])('an agent refuses %s: %j', (option, value) => {
  expect(() => new Agent({ name: 'a', client, [option]: value })).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringMatching(new RegExp(`^The agent 'a': ${option} must be`)),
      details: { options: [option] },
    }),
  );
});

it('an agent treats null options as absent, and closes the client that it created', async () => {
  const absent = { client: null, useAsFinalOutput: null, includedNestedSynthesis: null };
  const agent = new Agent({ name: 'a', apiKey: 'k', ...absent } as never);
  expect(agent).toMatchObject({ useAsFinalOutput: false, includedNestedSynthesis: 'auto' });
  await agent.close();
  await expect(sessionsOf(agent.client).cancel('s')).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' });
});

it('a batch treats null options as absent', async () => {
  await using setup = await startAgent((session) => session.finish(), { model: 'fast' });
  const absent = { model: null, signal: null, privateData: null, maxConcurrency: null, settle: null };
  expect(await setup.agent.batch(['x'], absent as never)).toHaveLength(1);
  expect(setup.bodies('/start-session')).toMatchObject([{ state: { model: 'fast' } }]);
});

it('a swarm refuses agents that are not an array', () => {
  expect(() => new Swarm({ name: 's', client, agents: 5 as never })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID_OPTION', details: { options: ['agents'] } }),
  );
});

it.each([
  ['JSON Schema', { type: 'object', properties: {} }],
  ['a schema of a string', z.string()],
  ['null', null],
])('structuredOutput refuses %s', async (_name, schema) => {
  await using setup = await startAgent((session) => session.finish());
  expect(() => setup.agent.structuredOutput(schema as never)).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_SCHEMA' }),
  );
});
