import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSdkError } from '@svc/contracts/sdk-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { MissingCredentialError } from '../../src/auth/errors.js';
import { Client, sessionsOf } from '../../src/client/client.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { ConfigurationError } from '../../src/config/errors.js';
import { Swarm } from '../../src/swarms/swarm.js';
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
])('%s: null is a source that is not named', async (_type, make) => {
  const none = { apiKey: null, envFile: null, apiKeyFile: null };
  expect(() => make(none)).toThrow(/SVC_API_KEY/);
  vi.stubEnv('SVC_API_KEY', 'from-process');
  const client = make(none);
  expect(client.config.dump().apiKey).toBe('from-process');
  await client.close();
});

describe('an agent', () => {
  it('without any credential is a TypeError that is an SDK error too', () => {
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

  it('with a file that cannot be read is a configuration error', () => {
    expect(() => new Agent({ name: 'a', apiKeyFile: join(directory, 'missing') })).toThrow(
      ConfigurationError,
    );
    expect(() => new Agent({ name: 'a', envFile: join(directory, 'missing') })).toThrow(ConfigurationError);
  });

  it.each([
    ['a key', { apiKey: 'own' }, 'own'],
    ['a key file', { apiKeyFile: keyFile }, 'from-key-file'],
    ['an env file', { envFile }, 'from-env-file'],
    ['an env file over a key file', { envFile, apiKeyFile: keyFile }, 'from-env-file'],
    ['a client over everything', { client: clientOf('client'), apiKey: 'own', envFile }, 'client'],
  ])('takes %s', (_name, options, expected) => {
    expect(keyOf(new Agent({ name: 'a', ...options }))).toBe(expected);
  });

  it('takes the key of the environment', () => {
    vi.stubEnv('SVC_API_KEY', 'from-process');
    expect(keyOf(new Agent({ name: 'a', envFile }))).toBe('from-process');
  });
});

describe('a swarm', () => {
  it('may be empty and without a credential until it is used', async () => {
    const swarm = new Swarm({ name: 's' });
    await expect(swarm.invoke('x')).rejects.toBeInstanceOf(MissingCredentialError);
    vi.stubEnv('SVC_API_KEY', 'later');
    await expect(swarm.invoke('x')).rejects.toMatchObject({
      code: 'SWARM_EMPTY',
      message: expect.stringContaining('addAgent()'),
    });
    await swarm.close();
  });

  it('takes its first member’s client unless it has a source of its own', async () => {
    const member = new Agent({ name: 'a', apiKey: 'member' });
    const seen = (swarm: Swarm): unknown => Object(swarm).requireClient().config.dump().apiKey;
    expect(seen(new Swarm({ name: 's', agents: [member] }))).toBe('member');
    expect(seen(new Swarm({ name: 's', agents: [member], apiKeyFile: keyFile }))).toBe('from-key-file');
    expect(seen(new Swarm({ name: 's', agents: [member], client: clientOf('given'), apiKey: 'x' }))).toBe(
      'given',
    );
  });

  it('with a file that cannot be read is a configuration error at once', () => {
    expect(() => new Swarm({ name: 's', envFile: join(directory, 'missing') })).toThrow(ConfigurationError);
  });
});

describe('a scope that is closed', () => {
  const clientOf = (scope: Agent | Swarm): Client => Object(scope).requireClient();

  it.each<[string, () => Agent | Swarm]>([
    ['an agent', () => new Agent({ name: 'a', envFile })],
    ['a swarm with a source of its own', () => new Swarm({ name: 's', envFile })],
    ['a swarm that found its client later', () => new Swarm({ name: 's' })],
  ])('closes the client that it made itself: %s', async (_name, make) => {
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
  ])('releases what can be when a source cannot: %s', async (_name, make) => {
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

  it('leaves a client open that was handed in, or is its member’s', async () => {
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
  ['a client that is none', { name: 'a', client: { apiKey: 'k' } }, 'CONFIG_INVALID_OPTION'],
  ['a key that is no text', { name: 'a', apiKey: 5 }, 'CONFIG_INVALID_API_KEY'],
  ['private data in a map', { name: 'a', apiKey: 'k', privateData: new Map() }, 'CONFIG_INVALID_OPTION'],
  ['a private text without a name', { name: 'a', apiKey: 'k', privateData: 'x' }, 'CONFIG_INVALID_OPTION'],
  ['a list of private texts', { name: 'a', apiKey: 'k', privateData: ['x'] }, 'CONFIG_INVALID_OPTION'],
  ['a hook that is a name', { name: 'a', apiKey: 'k', beforeExecute: 'log' }, 'CONFIG_INVALID_OPTION'],
  ['a list of no hooks', { name: 'a', apiKey: 'k', afterExecute: [5] }, 'CONFIG_INVALID_OPTION'],
  ['no parallel tools', { name: 'a', apiKey: 'k', maxParallelTools: 0 }, 'CONFIG_INVALID_OPTION'],
  ['no time for tools', { name: 'a', apiKey: 'k', toolTimeoutMs: -1 }, 'CONFIG_INVALID_DURATION'],
])('a scope with %s is refused', (_name, options, code) => {
  expect(() => new Agent(options as never)).toThrow(expect.objectContaining({ code }));
});

it.each([
  ['agent', () => new Agent({ name: 'a', apiKey: 'k', systmPrompt: 'x' } as never)],
  ['swarm', () => new Swarm({ name: 'a', apiKey: 'k', systmPrompt: 'x' } as never)],
])('an unknown option of a scope names the %s and the option', (type, create: () => unknown) => {
  expect(create).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`^Invalid options for the ${type} 'a':.*"systmPrompt"`, 's')),
    }),
  );
});
