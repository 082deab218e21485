import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSdkError } from '@svc/contracts/sdk-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import type { AgentOptions } from '../../src/agents/scope-options.js';
import { MissingCredentialError } from '../../src/auth/errors.js';
import { clientOfRuns } from '../../src/agents/scope-internals.js';
import { Client, sessionsOf } from '../../src/client/client.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { ConfigurationError } from '../../src/config/errors.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { Swarm } from '../../src/swarms/swarm.js';
import type { SwarmOptions } from '../../src/swarms/swarm-options.js';
import type { ToolSource } from '../../src/tools/tool-source.js';
import { startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-core-'));
const keyFile = join(directory, 'key');
const envFile = join(directory, 'app.env');
writeFileSync(keyFile, 'from-key-file\n');
writeFileSync(envFile, 'SVC_API_KEY=from-env-file\nSVC_BASE_URL=http://127.0.0.1:1\n');

beforeEach(() => {
  for (const name of ['SVC_API_KEY', 'SVC_API_KEY_FILE', 'SVC_BASE_URL']) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const keyOf = ({ client }: Agent): unknown => client.config.dump().apiKey;
const clientOf = (key: string) => new Client(new ClientConfig({ apiKey: key }));

it.each([
  ['an agent', (options: object) => new Agent({ name: 'a', ...options }).client],
  ['a client', (options: object) => new Client(options)],
])('%s treats null credential sources as absent', async (_type, make) => {
  const none = { apiKey: null, envFile: null, apiKeyFile: null };
  expect(() => make(none)).toThrow(/SVC_API_KEY/);
  vi.stubEnv('SVC_API_KEY', 'from-process');
  const client = make(none);
  expect(client.config.dump().apiKey).toBe('from-process');
  await client.close();
});

describe('an agent', () => {
  it('without any credential throws a TypeError that is also an SDK error', () => {
    const make = () => new Agent({ name: 'a' });
    expect(make).toThrow(MissingCredentialError);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(/SVC_API_KEY/);
    try {
      make();
    } catch (error) {
      expect(isSdkError(error, 'AUTH_MISSING_CREDENTIAL')).toBe(true);
      expect(String(error)).toMatch(/^MissingCredentialError \[AUTH_MISSING_CREDENTIAL\]: /);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'MissingCredentialError' });
    }
  });

  it('with an unreadable key or env file throws a ConfigurationError', () => {
    expect(() => new Agent({ name: 'a', apiKeyFile: join(directory, 'missing') })).toThrow(
      ConfigurationError,
    );
    expect(() => new Agent({ name: 'a', envFile: join(directory, 'missing') })).toThrow(ConfigurationError);
  });

  it.each([
    ['the apiKey option', { apiKey: 'own' }, 'own'],
    ['a key file', { apiKeyFile: keyFile }, 'from-key-file'],
    ['an env file', { envFile }, 'from-env-file'],
    ['an env file rather than a key file', { envFile, apiKeyFile: keyFile }, 'from-env-file'],
    [
      'a client rather than any other source',
      { client: clientOf('client'), apiKey: 'own', envFile },
      'client',
    ],
  ])('takes its API key from %s', (_name, options, expected) => {
    expect(keyOf(new Agent({ name: 'a', ...options }))).toBe(expected);
  });

  it('takes its API key from the environment rather than from an env file', () => {
    vi.stubEnv('SVC_API_KEY', 'from-process');
    expect(keyOf(new Agent({ name: 'a', envFile }))).toBe('from-process');
  });
});

describe('a swarm', () => {
  it('can be created without a credential or members, but not run', async () => {
    const swarm = new Swarm({ name: 's' });
    await expect(swarm.invoke('x')).rejects.toBeInstanceOf(MissingCredentialError);
    vi.stubEnv('SVC_API_KEY', 'later');
    await expect(swarm.invoke('x')).rejects.toMatchObject({
      code: 'SWARM_EMPTY',
      message: expect.stringContaining('addAgent()'),
    });
    await swarm.close();
  });

  it('uses its first member’s client unless it has a credential source of its own', async () => {
    const member = new Agent({ name: 'a', apiKey: 'member' });
    const seen = (swarm: Swarm): unknown => Object(swarm)[clientOfRuns]().config.dump().apiKey;
    expect(seen(new Swarm({ name: 's', agents: [member] }))).toBe('member');
    expect(seen(new Swarm({ name: 's', agents: [member], apiKeyFile: keyFile }))).toBe('from-key-file');
    expect(seen(new Swarm({ name: 's', agents: [member], client: clientOf('given'), apiKey: 'x' }))).toBe(
      'given',
    );
  });

  it('with an unreadable env file throws a ConfigurationError when it is created', () => {
    expect(() => new Swarm({ name: 's', envFile: join(directory, 'missing') })).toThrow(ConfigurationError);
  });
});

describe('closing a scope', () => {
  const clientOf = (scope: Agent | Swarm): Client => Object(scope)[clientOfRuns]();

  it.each<[string, () => Agent | Swarm]>([
    ['an agent', () => new Agent({ name: 'a', envFile })],
    ['a swarm with a credential source of its own', () => new Swarm({ name: 's', envFile })],
    ['a swarm that creates its client on first use', () => new Swarm({ name: 's' })],
  ])('closes the client that it created itself: %s', async (_name, make) => {
    const scope = make();
    vi.stubEnv('SVC_API_KEY', 'k');
    vi.stubEnv('SVC_BASE_URL', 'http://127.0.0.1:1');
    const client = clientOf(scope);
    await scope.close();
    await expect(sessionsOf(client).cancel('s')).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' });
  });

  it.each<[string, (tools: ToolSource[]) => Agent | Swarm]>([
    ['an agent', (tools) => new Agent({ name: 'a', apiKey: 'k', tools })],
    ['a swarm', (tools) => new Swarm({ name: 's', apiKey: 'k', tools })],
  ])('closes its client and other tool sources when one source fails to close: %s', async (_name, make) => {
    const listTools = async () => [];
    const fail = () => {
      throw new Error('stuck');
    };
    const other = { name: 'other', listTools, close: vi.fn(async () => {}) };
    const scope = make([{ name: 'stuck', listTools, close: fail }, other]);
    await expect(scope.close()).rejects.toThrow('stuck');
    expect(other.close).toHaveBeenCalledOnce();
    await expect(sessionsOf(clientOf(scope)).cancel('s')).rejects.toMatchObject({
      code: 'HTTP_CLIENT_CLOSED',
    });
  });

  it('leaves open a client that was passed in or belongs to a member', async () => {
    await using orchestrator = await startScriptedOrchestrator((session) => session.finish());
    const client = orchestrator.client();
    const agent = new Agent({ name: 'a', client });
    await new Agent({ name: 'b', client }).close();
    await new Swarm({ name: 's', client, apiKey: 'k' }).close();
    const swarm = new Swarm({ name: 's', agents: [agent] });
    await swarm.invoke('x');
    await swarm.close();
    await expect(agent.invoke('x')).resolves.toMatchObject({ status: 'completed' });
  });
});

it.each([
  ['no name', { name: ' ', apiKey: 'k' }, 'CONFIG_MISSING_NAME'],
  ['an unknown option', { name: 'a', apiKey: 'k', systmPrompt: 'x' }, 'CONFIG_INVALID_OPTION'],
  ['an unknown hook mode', { name: 'a', apiKey: 'k', hookExecutionMode: 'always' }, 'CONFIG_INVALID_OPTION'],
  ['a client that is not a Client', { name: 'a', client: { apiKey: 'k' } }, 'CONFIG_INVALID_OPTION'],
  ['a key that is not a string', { name: 'a', apiKey: 5 }, 'CONFIG_INVALID_API_KEY'],
  [
    'a hole in its private data',
    { name: 'a', apiKey: 'k', privateData: Object.assign([], { 1: new PrivateData({ value: 'v' }) }) },
    'CONFIG_INVALID_OPTION',
  ],
  ['a Map as private data', { name: 'a', apiKey: 'k', privateData: new Map() }, 'CONFIG_INVALID_OPTION'],
  ['a string as private data', { name: 'a', apiKey: 'k', privateData: 'x' }, 'CONFIG_INVALID_OPTION'],
  ['an array as private data', { name: 'a', apiKey: 'k', privateData: ['x'] }, 'CONFIG_INVALID_OPTION'],
  ['a string as a hook', { name: 'a', apiKey: 'k', beforeExecute: 'log' }, 'CONFIG_INVALID_OPTION'],
  ['a number in a list of hooks', { name: 'a', apiKey: 'k', afterExecute: [5] }, 'CONFIG_INVALID_OPTION'],
  ['a maxParallelTools of 0', { name: 'a', apiKey: 'k', maxParallelTools: 0 }, 'CONFIG_INVALID_OPTION'],
  ['a negative toolTimeoutMs', { name: 'a', apiKey: 'k', toolTimeoutMs: -1 }, 'CONFIG_INVALID_DURATION'],
])('an agent with %s is refused', (_name, options, code) => {
  expect(() => new Agent(options as never)).toThrow(expect.objectContaining({ code }));
});

it.each([
  ['agent', () => new Agent({ name: 'a', apiKey: 'k', systmPrompt: 'x' } as never)],
  ['swarm', () => new Swarm({ name: 'a', apiKey: 'k', systmPrompt: 'x' } as never)],
])('the error for an unknown option names the %s and the option', (type, create: () => unknown) => {
  expect(create).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`^Invalid options for the ${type} 'a':.*'systmPrompt'`, 's')),
    }),
  );
});

/** Every option; the types notice one that is missing here. */
const SHARED_NAMES: Record<Exclude<keyof AgentOptions & keyof SwarmOptions, symbol>, 0> = {
  name: 0,
  description: 0,
  systemPrompt: 0,
  client: 0,
  apiKey: 0,
  envFile: 0,
  apiKeyFile: 0,
  tools: 0,
  privateData: 0,
  beforeExecute: 0,
  afterExecute: 0,
  hookExecutionMode: 0,
  toolTimeoutMs: 0,
  dependencyTimeoutMs: 0,
  maxParallelTools: 0,
  receipts: 0,
  model: 0,
  reasoning: 0,
  forceFinalTool: 0,
  metadata: 0,
  memoryConfig: 0,
  memoryAssetsConfig: 0,
  systemToolsConfig: 0,
  orchestrationConfig: 0,
  timeoutMs: 0,
  interruptService: 0,
  piiWhitelist: 0,
};

it.each([
  [
    'an agent',
    { useAsFinalOutput: 0, includedNestedSynthesis: 0 },
    () => new Agent({ name: 'a', apiKey: 'k', sysPrompt: 'x' } as never),
  ],
  ['a swarm', { agents: 0 }, () => new Swarm({ name: 'a', apiKey: 'k', sysPrompt: 'x' } as never)],
])('the error for an unknown option of %s lists all that there are', (_owner, own, create: () => unknown) => {
  const error = thrownBy(create);
  expect(error).toMatchObject({ details: { options: ['sysPrompt'] } });
  const known = /Known options: (.*)$/m.exec(String(error))?.[1]?.split(', ');
  expect(known?.toSorted()).toEqual([...Object.keys(SHARED_NAMES), ...Object.keys(own)].toSorted());
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
