import { describe, expect, it } from 'vitest';
import { dependsOnAwaitFor } from '../../src/decorators/order.js';
import { MCPAutoSetup } from '../../src/mcp/mcp-auto-setup.js';
import { MCPServer } from '../../src/mcp/mcp-server.js';
import { Secrets } from '../../src/mcp/credentials/secrets.js';
import { parseServerOptions } from '../../src/mcp/server-options.js';
import { serveMcp } from '../../src/mcp/serve/serve-mcp.js';
import { TextTail } from '../../src/mcp/transport/text-tail.js';
import { startAgent } from '../agent-setup.js';

describe('the options of an MCPServer', () => {
  it.each([
    ['neither command nor url', { name: 'x' }],
    ['both command and url', { name: 'x', command: 'y', url: 'http://z' }],
    ['no name', { command: 'y' }],
    ['a URL with another protocol', { name: 'x', url: 'file:///etc/passwd' }],
    ['a password in the URL', { name: 'x', url: 'https://me:pass-word-4711@z' }],
    ['an unknown option', { name: 'x', command: 'y', time: 5 }],
    ['a rate limit of zero calls', { name: 'x', command: 'y', rateLimit: { maxCalls: 0, perMs: 1 } }],
    ['an empty separator', { name: 'x', command: 'y', separator: '' }],
    ['a time limit of zero', { name: 'x', command: 'y', callTimeoutMs: 0 }],
    ['headers for a program', { name: 'x', command: 'y', headers: {} }],
    ['a header whose name HTTP does not allow', { name: 'x', url: 'http://z', headers: { 'a b': 'c' } }],
    ['a header whose value HTTP does not allow', { name: 'x', url: 'http://z', headers: { a: 'key\n4711' } }],
    [
      'a maxDelayMs beyond the range of timers',
      { name: 'x', command: 'y', reconnect: { maxDelayMs: 2 ** 31 } },
    ],
    ['a baseMs beyond the range of timers', { name: 'x', command: 'y', reconnect: { baseMs: 2 ** 31 } }],
    [
      'a minIntervalMs beyond the range of timers',
      { name: 'x', command: 'y', rateLimit: { maxCalls: 1, perMs: 1, minIntervalMs: 2 ** 31 } },
    ],
  ])('are refused with %s', (_what, options) => {
    expect(() => new MCPServer(options as never)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.not.stringContaining('4711'),
      }),
    );
  });
});

it.each<[string, unknown]>([
  ['a value', 'wk-1234'],
  ['an object', {}],
  ['an order', dependsOnAwaitFor('audit')],
])('MCPServer and MCPAutoSetup refuse %s instead of an injection, as tools do', (_what, injection) => {
  const inject = { api_key: injection as never };
  const refused = expect.objectContaining({
    code: 'TOOL_INVALID_REFERENCE',
    message: expect.stringMatching(/'api_key' of the MCP server 'x'.*dependsOnTool\(\)/),
  });
  expect(() => new MCPServer({ name: 'x', command: 'y', inject })).toThrow(refused);
  expect(() => new MCPServer({ name: 'x', url: 'http://y', inject })).toThrow(refused);
  expect(() => new MCPAutoSetup({ name: 'x', launcher: 'npx', package: 'y', inject })).toThrow(refused);
});

it('MCPServer and serveMcp say what an option that may be a function must be', async () => {
  expect(() => new MCPServer({ name: 'x', url: 'http://y', headers: 5 as never })).toThrow(
    'must be an object of strings, or a function that returns one',
  );
  await using setup = await startAgent([]);
  expect(() => serveMcp(setup.agent, { authorize: true as never })).toThrow('must be a function');
});

it.each([undefined, null])(
  'MCPServer, MCPAutoSetup and serveMcp treat options that are %s as absent',
  async (none) => {
    const nothing = none as never;
    const rateLimit = { maxCalls: 1, perMs: 1_000, minIntervalMs: nothing, maxWaiting: nothing };
    const reconnect = { maxAttempts: 1, baseMs: nothing, maxDelayMs: nothing };
    const shared = { name: 'x', tools: nothing, rateLimit, reconnect, overrides: nothing };
    expect(new MCPServer({ ...shared, command: 'y', url: nothing, cwd: nothing }).name).toBe('x');
    expect(new MCPServer({ ...shared, url: 'http://z', command: nothing, headers: nothing }).name).toBe('x');
    const launched = { launcher: 'npx', package: 'p', version: nothing } as const;
    expect(new MCPAutoSetup({ ...shared, ...launched }).name).toBe('x');
    await using setup = await startAgent([]);
    await serveMcp(setup.agent, { tools: nothing, authorize: nothing }).close();
  },
);

it('options that are left out have the documented defaults', () => {
  const rateLimit = { maxCalls: 1, perMs: 1_000 };
  expect(parseServerOptions({ name: 'x', command: 'y', rateLimit })).toEqual({
    name: 'x',
    command: 'y',
    args: [],
    separator: '__',
    defaultArgs: {},
    inject: {},
    exposeArguments: [],
    overrides: {},
    rateLimit: { ...rateLimit, minIntervalMs: 0, maxWaiting: 100 },
    raiseToolErrors: false,
    softErrorKeys: ['error', 'errors'],
    reconnect: { maxAttempts: 4, baseMs: 250, maxDelayMs: 30_000 },
    connectTimeoutMs: 30_000,
    callTimeoutMs: 60_000,
    maxCallMs: 600_000,
    maxMessageBytes: 10_485_760,
    maxResultBytes: 1_048_576,
    maxTools: 1_000,
    logLevel: 'info',
  });
});

describe('confidential values passed to a server', () => {
  it('are removed from the content of its messages if they are credentials of six characters or more', () => {
    const secrets = new Secrets();
    expect(secrets.clean('abcdef')).toBe('abcdef');
    secrets.add({ token: 'abcdef', key: 'abcde', HOST: 'db.example' });
    const content = { text: 'abcdef', host: 'abcde.db.example' };
    const cleaned = { text: '{_{token}_}', host: 'abcde.db.example' };
    for (const field of ['result', 'error', 'params'])
      expect(secrets.cleanMessage({ id: 'abcdef', [field]: content })).toEqual({
        id: 'abcdef',
        [field]: cleaned,
      });
    expect(secrets.clean('abcdef db.example')).toBe('{_{token}_} {_{HOST}_}');
  });

  it('are removed even if it repeats only the part after the scheme, as in a Bearer header', () => {
    const secrets = new Secrets();
    secrets.add({ authorization: 'Bearer abcdef123456', SHORT: 'x' });
    expect(secrets.clean('key abcdef123456 of x')).toBe('key {_{authorization}_} of x');
  });

  it('are forgotten when many newer ones have been added', () => {
    const secrets = new Secrets();
    for (let at = 0; at < 100; at += 1) secrets.add({ token: `token-number-${at}.` });
    expect(secrets.clean('token-number-1. token-number-99.')).toBe('token-number-1. {_{token}_}');
  });

  it('are remembered as long as they are added again and again', () => {
    const secrets = new Secrets();
    for (let at = 0; at < 100; at += 1) {
      secrets.add({ 'x-key': 'stays-the-same', token: `token-number-${at}.` });
      expect(secrets.clean('stays-the-same')).toBe('{_{x-key}_}');
    }
  });
});

it('the tail of a server’s stderr has whole characters, and begins at a line or a word once it is cut', () => {
  const tail = new TextTail(11);
  for (const byte of Buffer.from('many words and ünder')) tail.add(Buffer.from([byte]));
  expect(tail.read(String)).toBe('and ünder');
  tail.add(Buffer.alloc(1_000_000, 'y'));
  expect(tail.read(String)).toBe('y'.repeat(11));
  tail.add(Buffer.from('cut\nline'));
  expect(tail.read(String)).toBe('line');
});

it('the tail of a server’s stderr is cleaned before it is cut, so that no rest of a value is left', () => {
  const secrets = new Secrets();
  secrets.keep({ KEY: 'first line\nsecond line\nthird line' });
  const tail = new TextTail(30);
  tail.add(Buffer.from('the key is first line\nsecond line\nthird line\ndone'));
  expect(tail.read((text) => secrets.clean(text))).toBe('the key is {_{KEY}_}\ndone');
});
