import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../../src/client/client.js';
import { ClientBuilder, ConfigurationBuilder } from '../../src/client/configuration.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { ConfigurationError } from '../../src/config/errors.js';
import { environmentTwin } from '../environment-twin.js';

const settings = {
  apiKey: 'key-canary-1',
  baseUrl: 'https://orchestrator.example/base/',
  projectId: 'p-1',
  timezone: 'Europe/Berlin',
  threadId: 't-1',
  timeoutMs: 45_000,
};

function settingsOf({ baseUrl, projectId, timezone, threadId, timeoutMs }: Client) {
  return { baseUrl, projectId, timezone, threadId, timeoutMs };
}

describe('settings', () => {
  it('are passed from a configuration to a client', () => {
    const client = new Client(new ClientConfig(settings));
    expect(settingsOf(client)).toEqual({
      baseUrl: 'https://orchestrator.example/base',
      projectId: 'p-1',
      timezone: 'Europe/Berlin',
      threadId: 't-1',
      timeoutMs: 45_000,
    });
    expect(client.config.dump()).toMatchObject({ apiKey: 'key-canary-1', threadId: 't-1' });
  });

  it('come from the process environment, then from the selected dotenv file', () => {
    const environment = environmentTwin(
      { SVC_API_KEY: 'k', SVC_TIMEZONE: 'Asia/Tokyo' },
      {
        '/work/app.env':
          'SVC_BASE_URL=http://127.0.0.1:9999\nSVC_TIMEZONE=Europe/Berlin\nSVC_PROJECT_ID=p-2\nSVC_TIMEOUT_MS=1000\n',
      },
    );
    const client = ClientBuilder.fromEnvironment({ envFile: 'app.env' }, environment);
    expect(settingsOf(client)).toEqual({
      baseUrl: 'http://127.0.0.1:9999',
      projectId: 'p-2',
      timezone: 'Asia/Tokyo',
      threadId: undefined,
      timeoutMs: 1000,
    });
  });

  it("are in UTC if the process's time zone is none that Node knows, as with an empty TZ", () => {
    vi.stubEnv('TZ', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).not.toBe('UTC');
    const client = ConfigurationBuilder.fromEnvironment({}, environmentTwin({ SVC_API_KEY: 'k' })).toClient();
    expect(client.timezone).toBe('UTC');
  });

  it('have defaults, which a blank SVC_TIMEOUT_MS does not replace', () => {
    const environment = environmentTwin({ SVC_API_KEY: 'k', SVC_TIMEOUT_MS: '' });
    const client = ConfigurationBuilder.fromEnvironment({}, environment).toClient();
    expect(client.timeoutMs).toBe(900_000);
    expect(client.baseUrl).toBe('http://127.0.0.1:7420');
  });

  it.each([
    [
      'a timeout that is not a number',
      { SVC_TIMEOUT_MS: 'abc' },
      'CONFIG_INVALID_DURATION',
      'SVC_TIMEOUT_MS',
    ],
    ['an unknown time zone', { SVC_TIMEZONE: 'Mars/X' }, 'CONFIG_INVALID_TIMEZONE', 'SVC_TIMEZONE'],
    [
      'an address that is not an HTTP URL',
      { SVC_BASE_URL: 'ftp://x' },
      'CONFIG_INVALID_BASE_URL',
      'SVC_BASE_URL',
    ],
    ['an address with a query', { SVC_BASE_URL: 'http://x/?a=1' }, 'CONFIG_INVALID_BASE_URL', 'SVC_BASE_URL'],
    [
      'an address with a fragment',
      { SVC_BASE_URL: 'http://x/#a' },
      'CONFIG_INVALID_BASE_URL',
      'SVC_BASE_URL',
    ],
    [
      'an address with a password',
      { SVC_BASE_URL: 'http://u:pw-canary@x' },
      'CONFIG_INVALID_BASE_URL',
      'SVC_BASE_URL',
    ],
  ])(
    'with %s cause a configuration error that names the variable',
    (_name, variables: Record<string, string>, code, naming) => {
      const environment = environmentTwin({ SVC_API_KEY: 'k', ...variables });
      const build = () => ClientBuilder.fromEnvironment({}, environment);
      expect(build).toThrow(ConfigurationError);
      expect(build).toThrow(expect.objectContaining({ code, message: expect.stringContaining(naming) }));
      expect(build).not.toThrow(/pw-canary|abc/);
    },
  );

  it('are frozen in a configuration', () => {
    const configuration = ConfigurationBuilder.fromEnvironment({}, environmentTwin({ SVC_API_KEY: 'k' }));
    expect(Object.isFrozen(configuration)).toBe(true);
    expect(Object.isFrozen(new ClientConfig(settings))).toBe(true);
  });
});

describe('a client', () => {
  it('without any key source throws a configuration error that names SVC_API_KEY', () => {
    const build = () => new Client({}, { environment: environmentTwin() });
    expect(build).toThrow(expect.objectContaining({ code: 'CONFIG_MISSING_CREDENTIAL' }));
    expect(build).toThrow(/SVC_API_KEY/);
  });

  it('refuses an unknown option', () => {
    const options = { apiKey: 'k', timeout: 5 };
    expect(() => new Client(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNKNOWN_OPTION',
        message: expect.stringContaining("'timeout'"),
      }),
    );
  });

  it('created from a ClientConfig does not read the environment', () => {
    const environment = environmentTwin({ SVC_API_KEY: 'other', SVC_TIMEZONE: 'Mars/X' });
    expect(new Client(new ClientConfig({ apiKey: 'k' }), { environment }).config.dump().apiKey).toBe('k');
  });

  it('can be closed twice', async () => {
    const client = new Client(new ClientConfig(settings));
    await client.close();
    await client.close();
  });

  it.each([
    ['the client', () => new Client(new ClientConfig(settings))],
    ['its configuration', () => new ClientConfig(settings)],
    [
      'an object that contains them',
      () => ({ nested: [new Client(new ClientConfig(settings)), new ClientConfig(settings)] }),
    ],
    ['the boxed key', () => new ClientConfig(settings).apiKey],
  ])('does not show the key when %s is printed or serialized', (_name, make) => {
    const value = make();
    const shown = [
      inspect(value, { depth: 10, showHidden: true }),
      JSON.stringify(value),
      `${String(value)}`,
    ];
    for (const text of shown) expect(text).not.toContain('key-canary-1');
  });
});

describe('a ClientConfig', () => {
  it.each([
    ['a misspelled option', { apiKey: 'k', baseURL: 'http://x' }, 'CONFIG_UNKNOWN_OPTION', "'baseURL'"],
    [
      'an option that only a client has',
      { apiKey: 'k', envFile: '.env' },
      'CONFIG_UNKNOWN_OPTION',
      "'envFile'",
    ],
    ['a projectId that is not a string', { apiKey: 'k', projectId: 7 }, 'CONFIG_INVALID_OPTION', 'projectId'],
    ['a threadId that is not a string', { apiKey: 'k', threadId: {} }, 'CONFIG_INVALID_OPTION', 'threadId'],
    ['null', null, 'CONFIG_INVALID_OPTION', 'null'],
  ])('refuses %s', (_name, given: unknown, code, naming) => {
    expect(() => new ClientConfig(given as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(naming) }),
    );
  });

  it('treats blank ids as absent, and trims others as a call does', () => {
    for (const id of ['', '  ']) {
      const { projectId, threadId } = new Client({ apiKey: 'k', projectId: id, threadId: id });
      expect([projectId, threadId]).toEqual([undefined, undefined]);
    }
    expect(new Client({ apiKey: 'k', threadId: ' t-1 ' }).threadId).toBe('t-1');
  });

  it('treats null as absent, and accepts what dump() of another one returns', () => {
    const unset = { projectId: null, threadId: null, timezone: null, baseUrl: null, timeoutMs: null };
    const config = new ClientConfig({ apiKey: 'k', ...unset } as never);
    expect(config.dump()).toEqual(new ClientConfig({ apiKey: 'k' }).dump());
    expect(new ClientConfig(new ClientConfig(settings).dump()).dump()).toEqual(
      new ClientConfig(settings).dump(),
    );
  });
});

it.each([
  ['options that are not an object', () => new Client('k' as never), 'CONFIG_INVALID_OPTION'],
  [
    'a threadId that is not a string',
    () => new Client({ apiKey: 'k', threadId: 5 } as never),
    'CONFIG_INVALID_OPTION',
  ],
])('a client refuses %s', (_name, build: () => unknown, code) => {
  expect(build).toThrow(expect.objectContaining({ code }));
});

it.each([
  ['ClientBuilder', () => ClientBuilder.fromEnvironment({ apiKey: 'k' } as never)],
  ['ConfigurationBuilder', () => ConfigurationBuilder.fromEnvironment({ envfile: 'x' } as never)],
])('%s refuses an unknown option', (_name, build: () => unknown) => {
  expect(build).toThrow(expect.objectContaining({ code: 'CONFIG_UNKNOWN_OPTION' }));
});
