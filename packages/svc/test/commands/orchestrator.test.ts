import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/program.js';
import { recordingTerminal } from './terminal.js';

const parse = (terminal: ReturnType<typeof recordingTerminal>['terminal'], args: string[]) =>
  createProgram(terminal).parseAsync(['node', 'svc', ...args]);

/** Runs the command until the test ends. */
async function start(args: string[], environment: Record<string, string> = {}) {
  const { terminal, lines, errors, interrupt, written } = recordingTerminal(environment);
  const ended = parse(terminal, ['orchestrator', '--drain-seconds', '0', ...args]);
  const stop = async () => {
    interrupt();
    await ended;
  };
  onTestFinished(stop);
  await Promise.race([written, ended]);
  return { url: new URL(/http:\S+/.exec(lines[0] ?? '')?.[0] ?? ''), lines, errors, stop };
}

const statusUnder = (url: URL, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(new URL('/sessions', url), { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('svc orchestrator', () => {
  it('prefers a flag to its variable, and the variable to the default', async () => {
    const { url } = await start(['--port', '0'], { SVC_PORT: 'none', SVC_HOST: 'localhost' });
    expect(url.hostname).toBe('localhost');
  });

  it('answers for the hosts of --allowed-host, and for no other', async () => {
    const { url } = await start(['--port', '0', '--allowed-host', 'a.test', '--allowed-host', 'b.test']);
    expect(await Promise.all(['a.test', 'b.test', 'c.test'].map((host) => statusUnder(url, host)))).toEqual([
      401, 401, 403,
    ]);
  });

  it('returns URLs under --public-url', async () => {
    const { url } = await start(['--port', '0', '--public-url', 'https://runs.example'], {
      SVC_API_KEY: 'k-local-test-key',
    });
    const started = await fetch(new URL('/start-session', url), {
      method: 'POST',
      headers: { authorization: 'Bearer k-local-test-key', 'content-type': 'application/json' },
      body: JSON.stringify({ state: { messages: [{ type: 'human', content: 'hello' }] } }),
    });
    expect(await started.json()).toMatchObject({
      events_url: expect.stringMatching(/^https:\/\/runs\.example\//),
    });
  });

  it.each<[string, Record<string, string>]>([
    ['the key of its environment', { SVC_API_KEY: 'k-local-test-key' }],
    ['the key that it prints', {}],
  ])('assigns %s to the project of --project', async (_, environment) => {
    const { url, lines, errors } = await start(['--port', '0', '--project', 'shop'], environment);
    await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(3);
    const key = environment['SVC_API_KEY'] ?? / (svc_\S+)/.exec(lines[2] ?? '')?.[1];
    const started = await fetch(new URL('/start-session', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: { messages: [{ type: 'human', content: 'hello' }] } }),
    });
    expect(started.status).toBe(200);
    await expect
      .poll(() => errors.map((line) => JSON.parse(line)), { timeout: 30_000 })
      .toContainEqual(expect.objectContaining({ message: 'session started', project_id: 'shop' }));
  });

  it('refuses a file that is not a store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = join(folder, 'notes.txt');
    await writeFile(store, 'Buy green tea. '.repeat(200));
    const { terminal } = recordingTerminal();
    await expect(parse(terminal, ['orchestrator', '--port', '0', '--store', store])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });

  it('listens on port 7420 by default', async () => {
    const { terminal } = recordingTerminal();
    await expect(parse(terminal, ['orchestrator', '--host', '203.0.113.1'])).rejects.toThrow(
      'Cannot bind port 7420 on 203.0.113.1',
    );
  });

  it('prints a key of its own only when the store has no valid key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = join(folder, 'runs.db');
    const keys = async (...args: string[]) => {
      const { terminal, lines } = recordingTerminal();
      await parse(terminal, ['keys', ...args, '--store', store]);
      return lines;
    };
    const keyLine = async () => {
      const { lines, stop } = await start(['--port', '0', '--store', store]);
      await expect.poll(() => lines).toHaveLength(3);
      await stop();
      return lines[2];
    };
    await keys('create', '--project', 'shop');
    const [listed = ''] = await keys('list');
    expect(await keyLine()).toBe('Keys: see `svc keys list`.');
    await keys('revoke', `${listed.split('\t')[0]}`);
    expect(await keyLine()).toMatch(/^Key \(valid while this process runs\): /);
  });

  it.each([
    ['--port', '65536', 65_535],
    ['--port', '1.5', 65_535],
    ['--drain-seconds', '3601', 3_600],
  ])('refuses %s %s', async (flag, value, most) => {
    await expect(parse(recordingTerminal().terminal, ['orchestrator', flag, value])).rejects.toThrow(
      `${flag} must be an integer from 0 to ${most}, got "${value}".`,
    );
  });

  const url = 'must be an http or https URL, such as https://plan.example';

  it.each([
    ['--public-url', '', `${url}, got "".`],
    ['--public-url', 'ftp://x', `${url}, got "ftp://x".`],
    ['--public-url', 'ftp://ada:canary@x', `${url}.`],
    ['--public-url', 'http://ada:canary@x', 'must not contain a user name or password.'],
    ['--allowed-host', 'http://x:99', 'must be a host name without scheme or port, got "http://x:99".'],
    [
      '--project',
      '..',
      'must be a non-blank name of at most 200 characters without control characters, and not . or .., got "..".',
    ],
  ])('names the flag, the rule and what is no secret in refusing %s %j', async (flag, value, rule) => {
    const args = ['orchestrator', '--port', '0', '--allowed-host', 'a.test', flag, value];
    await expect(parse(recordingTerminal().terminal, args)).rejects.toThrow(`${flag} is invalid: ${rule}`);
  });

  it('names SVC_API_KEY in refusing a key that no client can send, without repeating it', async () => {
    const { terminal } = recordingTerminal({ SVC_API_KEY: 'canary key' });
    await expect(parse(terminal, ['orchestrator', '--port', '0'])).rejects.toThrow(
      /^SVC_API_KEY must be one line of printable ASCII without spaces\.$/,
    );
  });

  it('does not start when it has already been interrupted', async () => {
    const { terminal, lines, interrupt } = recordingTerminal();
    interrupt();
    await parse(terminal, ['orchestrator', '--port', '0', '--drain-seconds', '0']);
    expect(lines).toEqual([]);
  });
});

it.each(['orchestrator --port 0', 'keys list', 'keys create --project p'])(
  'svc %s refuses a blank --store, which would mean memory',
  async (command) => {
    const { terminal } = recordingTerminal({ SVC_STORE: '' });
    await expect(parse(terminal, [...command.split(' '), '--store', ' '])).rejects.toThrow(
      '--store is empty; pass a file, or omit it.',
    );
  },
);
