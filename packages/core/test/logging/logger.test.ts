import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatJson, formatText, type LogLevel, type LogRecord } from '../../src/logging/log-record.js';
import { withCleanLog, type CleanFields } from '../../src/logging/log-scope.js';
import { configureLogging, createLogger, getLogger } from '../../src/logging/logger.js';
import { UNREADABLE } from '../../src/message-of.js';
import { RedactedMessage } from '../../src/messages/message.js';
import { createPrivateDataMap } from '../../src/privacy/private-data-map.js';

const lines: LogRecord[] = [];
const sink = (record: LogRecord) => void lines.push(record);

afterEach(() => {
  lines.length = 0;
  configureLogging({ level: 'silent' });
});

it.each([
  ['an unknown level', { level: 'verbose' }, 'level'],
  ['an unknown format', { format: 'xml' }, 'format'],
  ['a sink that is not a function', { sink: {} }, 'sink'],
  ['an unknown option', { levle: 'info' }, 'levle'],
])('configureLogging refuses %s and names it', (_what, options, name) => {
  expect(() => configureLogging(options as never)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID_OPTION', message: expect.stringContaining(name) }),
  );
});

describe('log lines', () => {
  it.each<[LogLevel, string[]]>([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('are filtered by the level %s', (level, expected) => {
    configureLogging({ level, sink });
    const logger = getLogger('x');
    logger.debug('m');
    logger.info('m');
    logger.warn('m');
    logger.error('m');
    expect(lines.map((line) => line.level)).toEqual(expected);
  });

  it('contain the name, correlation ids and fields of their logger', () => {
    configureLogging({ level: 'info', sink });
    getLogger('app').child({ run_id: 'r-1' }).child({ session_id: 's-1', n: 0 }).info('Hello.', { n: 1 });
    expect(lines).toEqual([
      {
        level: 'info',
        logger: 'app',
        message: 'Hello.',
        time: expect.any(Number),
        fields: { run_id: 'r-1', session_id: 's-1', n: 1 },
      },
    ]);
  });

  it('do not throw if the sink throws, and the failure is reported on standard error', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    configureLogging({
      level: 'info',
      sink: () => {
        throw new Error('disk full');
      },
    });
    getLogger('app').info('Hello.');
    expect(write).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/ERROR app: A log line could not be written: disk full\n$/),
    );
  });

  it('do not throw if the sink throws what cannot be read', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    configureLogging({
      level: 'info',
      sink: () => {
        throw Object.create(null);
      },
    });
    getLogger('app').info('Hello.');
    expect(write).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(UNREADABLE));
  });

  it('can be written asynchronously, and a failure is reported on standard error', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    configureLogging({ level: 'info', sink: async () => Promise.reject(new Error('disk full')) });
    getLogger('app').info('Hello.');
    await expect.poll(() => write.mock.calls).toHaveLength(1);
    expect(write).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/ERROR app: A log line could not be written: disk full\n$/),
    );
  });

  it.each([
    ['api_key', 'x'],
    ['apiKey', 'x'],
    ['Authorization', 'x'],
    ['access_token', 'x'],
    ['password', 'x'],
    ['private_data', { a: 1 }],
    ['client-secret', 'x'],
    ['privateKey', 'x'],
    ['access_key', 'x'],
    ['db_passwd', 'x'],
    ['passphrase', 'x'],
    ['Set-Cookie', 'x'],
  ])('redact fields named %s', (name, value) => {
    configureLogging({ level: 'info', sink });
    getLogger().info('m', { [name]: value, nested: [{ [name]: value }], token_usage: 3 });
    expect(lines[0]?.fields).toEqual({
      [name]: '[REDACTED]',
      nested: [{ [name]: '[REDACTED]' }],
      token_usage: 3,
    });
  });

  it('contain strings for values that JSON cannot represent', () => {
    configureLogging({ level: 'info', sink });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const bytes = Buffer.from('tok_9f31');
    const buffers = [bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer];
    const foreign: unknown = runInNewContext('new Error("elsewhere")');
    getLogger().info('m', { big: 1n, run: () => 1, error: new Error('why'), foreign, cycle, buffers });
    expect(() => formatJson(lines[0] ?? Object.create(null))).not.toThrow();
    expect(lines[0]?.fields).toMatchObject({
      big: '1',
      run: '[function]',
      error: 'why',
      foreign: 'elsewhere',
    });
    // An array of numbers would show a private value in a form in which it cannot be found and hidden.
    expect(lines[0]?.fields['buffers']).toEqual(['[8 bytes]', '[8 bytes]', '[8 bytes]']);
  });

  it('use the toJSON method of a value, so that hidden values stay hidden', () => {
    configureLogging({ level: 'info', sink });
    const redacted = new RedactedMessage('I am Ada Lovelace.');
    const values = createPrivateDataMap({ card: 'tok_9f31' });
    getLogger().info('m', { at: new Date(0), url: new URL('https://a.example/x'), redacted, values });
    expect(lines[0]?.fields).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      url: 'https://a.example/x',
      redacted: { type: 'redacted', content: '[hidden]' },
      values: { card: '[hidden]' },
    });
  });

  it('keep fields that have the name of a part of the line', () => {
    configureLogging({ level: 'info', sink });
    getLogger('app').info('Lost.', { message: 'reset', level: 3 });
    const [line] = lines;
    expect(line).toMatchObject({ level: 'info', message: 'Lost.', fields: { message: 'reset', level: 3 } });
    expect(JSON.parse(line ? formatJson(line) : '')).toMatchObject({
      level: 'info',
      message: 'Lost.',
      message_: 'reset',
      level_: 3,
    });
  });

  it('are dropped if a field cannot be serialized, and the failure is reported on standard error', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    configureLogging({ level: 'info', sink });
    const toJSON = () => {
      throw new Error('not now');
    };
    getLogger('app').info('Hello.', { thing: { toJSON } });
    expect(lines).toEqual([]);
    expect(write).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/ERROR app: A log line could not be written: not now\n$/),
    );
  });

  it('are cleaned by the clean function of their logger', () => {
    configureLogging({ level: 'info', sink });
    const clean = (fields: object): Record<string, unknown> =>
      JSON.parse(JSON.stringify(fields).replaceAll('secret-value', '{_{x}_}'));
    const logger = createLogger({ name: 'run', fields: {}, clean });
    for (const each of [logger, logger.child({ n: 1 })])
      each.info('got secret-value', { deep: ['secret-value'] });
    for (const line of lines)
      expect(line).toMatchObject({ message: 'got {_{x}_}', fields: { deep: ['{_{x}_}'] } });
  });

  it('are cleaned by every enclosing withCleanLog, whichever logger writes them', () => {
    configureLogging({ level: 'info', sink });
    const without =
      (secret: string): CleanFields =>
      (fields) =>
        JSON.parse(JSON.stringify(fields).replaceAll(secret, '*'));
    withCleanLog(without('outer-secret'), () =>
      withCleanLog(without('inner-secret'), () => getLogger().info('outer-secret inner-secret')),
    );
    getLogger().info('outer-secret');
    expect(lines.map(({ message }) => message)).toEqual(['* *', 'outer-secret']);
  });
});

describe('standard error', () => {
  it.each<[LogLevel, 'text' | 'json', RegExp]>([
    ['info', 'json', /^\{"time":"[^"]+Z","level":"info","logger":"svc.core","message":"m","n":1\}\n$/],
    ['info', 'text', /^\S+Z INFO {2}svc\.core: m n=1\n$/],
  ])('receives lines of level %s formatted as %s', (level, format, expected) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    configureLogging({ level, format });
    getLogger().info('m', { n: 1 });
    expect(write).toHaveBeenCalledTimes(1);
    expect(write.mock.calls[0]?.[0]).toMatch(expected);
    write.mockRestore();
  });

  it('receives warnings but not info lines by default', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    configureLogging();
    getLogger().info('no');
    getLogger().warn('yes');
    expect(write.mock.calls.map(([text]) => String(text).includes('yes'))).toEqual([true]);
    write.mockRestore();
  });
});

it('a line formatted as text has its parts in order', () => {
  const record = { level: 'warn', logger: 'l', message: 'm', time: 0, fields: { a: 'b c' } } as const;
  expect(formatText(record)).toBe('1970-01-01T00:00:00.000Z WARN  l: m a="b c"');
});

it('a line formatted as text contains no line breaks or control characters, whatever its content', () => {
  const text = 'a\n1970-01-01T00:00:00.000Z ERROR svc: forged\r\u001b[2J\u009b2J\u202e\u2028';
  const record = { level: 'warn', logger: 'l', message: text, time: 0, fields: { [text]: text } } as const;
  const line = formatText(record);
  expect(line).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}/u);
  expect(line).toContain(
    String.raw`l: a\u000a1970-01-01T00:00:00.000Z ERROR svc: forged\u000d\u001b[2J\u009b2J`,
  );
});
