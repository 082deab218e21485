import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createProgram } from '../src/program.js';
import { recordingTerminal } from './commands/terminal.js';
import { startServer } from './start-server.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = async (args: string[], environment: Record<string, string> = {}) => {
  const recording = recordingTerminal(environment);
  await createProgram(recording.terminal).parseAsync(['node', 'svc', ...args]);
  return recording;
};

describe('svc', () => {
  it('prints its version', async () => {
    expect((await run(['version'])).lines).toEqual([manifest.version]);
  });
  it('refuses an unknown command and prints help', async () => {
    const { terminal, errors } = recordingTerminal();
    await expect(createProgram(terminal).parseAsync(['node', 'svc', 'fly'])).rejects.toMatchObject({
      exitCode: 1,
    });
    expect(errors.join('\n')).toMatch(/unknown command 'fly'[^]*Usage: svc /);
  });
});

it.each([
  ['orchestrator', /--drain-seconds [^]*default:\s+"10"/],
  ['doctor', /--seconds [^]*default:\s+"35"/],
])('svc %s --help prints the default of its option to standard output', async (command, text) => {
  const { terminal, lines } = recordingTerminal();
  const helped = createProgram(terminal).parseAsync(['node', 'svc', command, '--help']);
  await expect(helped).rejects.toMatchObject({ exitCode: 0 });
  expect(lines.join('')).toMatch(text);
});

describe('svc keys', () => {
  it('creates a key, lists it without its secret, and revokes it', async () => {
    const store = join(folder, 'runs.db');
    const [key] = (
      await run(['keys', 'create', '--project', 'shop', '--organization', 'acme', '--store', store])
    ).lines;
    const listed = (await run(['keys', 'list'], { SVC_STORE: store })).lines;
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatch(/\tshop\tacme\tall\t.*\tvalid$/);
    expect(listed[0]).not.toContain(key);
    expect(await readFile(store, 'latin1')).not.toContain(key);
    const id = listed[0]?.split('\t')[0] ?? '';
    await run(['keys', 'revoke', id, '--store', store]);
    expect((await run(['keys', 'list', '--store', store])).lines[0]).toContain('\trevoked ');
  });
  it('lists the keys of one project', async () => {
    const store = join(folder, 'runs.db');
    for (const project of ['shop', 'bank'])
      await run(['keys', 'create', '--project', project, '--store', store]);
    const listed = (project: string) => run(['keys', 'list', '--project', project, '--store', store]);
    expect((await listed('bank')).lines).toEqual([expect.stringContaining('\tbank\t')]);
    await expect(listed('')).rejects.toThrow('--project is empty');
    const { lines, errors } = await listed('bnak');
    expect([lines, errors]).toEqual([
      [],
      [`No keys of project bnak yet. Create one: svc keys create --project bnak --store ${store}`],
    ]);
  });
  it('creates a key that is limited to operations, and lists them', async () => {
    const store = join(folder, 'runs.db');
    await run(['keys', 'create', '--project', 'shop', '--operations', 'read, run', '--store', store]);
    expect((await run(['keys', 'list', '--store', store])).lines).toEqual([
      expect.stringMatching(/\tshop\t-\trun,read\t.*\tvalid$/),
    ]);
  });
  it.each(['write', 'run,', ''])('refuses the operations %j and creates no store', async (operations) => {
    const args = ['--project', 'shop', '--operations', operations, '--store', join(folder, 'runs.db')];
    await expect(run(['keys', 'create', ...args])).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining('one or more of run,read,memory,administration,metrics'),
    });
    expect(await readdir(folder)).toEqual([]);
  });
  it('names the missing flag without a store, and an unknown key', async () => {
    await expect(run(['keys', 'list'])).rejects.toThrow('--store <file>');
    const store = join(folder, 'runs.db');
    await run(['keys', 'create', '--project', 'shop', '--store', store]);
    await expect(run(['keys', 'revoke', 'nope', '--store', store])).rejects.toThrow('no key "nope"');
  });
  it.each(['list', 'revoke some-id'])('%s refuses a missing store and creates none', async (command) => {
    const path = join(folder, 'mistyped.db');
    await expect(run(['keys', ...command.split(' '), '--store', path])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { path },
      message: expect.stringContaining(`There is no store ${path}`),
    });
    expect(await readdir(folder)).toEqual([]);
  });
  it('list fails with STORE_UNAVAILABLE for a path that cannot be read', async () => {
    const path = join(folder, 'x'.repeat(300));
    await expect(run(['keys', 'list', '--store', path])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { path },
    });
  });
  it.each(['list', 'revoke some-id'])('%s refuses an empty file, and leaves it empty', async (command) => {
    const path = join(folder, 'empty.db');
    await writeFile(path, '');
    await expect(run(['keys', ...command.split(' '), '--store', path])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`${path} is empty`),
    });
    expect(await readdir(folder)).toEqual(['empty.db']);
    expect(await readFile(path, 'utf8')).toBe('');
  });
});

describe('svc orchestrator', () => {
  it('listens, admits only the key of its environment, and stops when it is interrupted', async () => {
    const { terminal, lines, interrupt, written } = recordingTerminal({ SVC_API_KEY: 'k-local-test-key' });
    const ended = createProgram(terminal).parseAsync([
      'node',
      'svc',
      'orchestrator',
      '--port',
      '0',
      '--drain-seconds',
      '0',
    ]);
    await Promise.race([written, ended]);
    const url = /http:\S+/.exec(lines[0] ?? '')?.[0];
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const status = async (key: string) =>
      (await fetch(`${url}/sessions`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await status('k-local-test-key'), await status('another')]).toEqual([200, 401]);
    interrupt();
    await ended;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect(lines.join('\n')).not.toContain('k-local-test-key');
  });
  it('logs JSON lines to standard error, without the content of messages', async () => {
    const { terminal, lines, errors, interrupt, written } = recordingTerminal({
      SVC_API_KEY: 'k-local-test-key',
    });
    const args = ['orchestrator', '--port', '0', '--drain-seconds', '0'];
    const ended = createProgram(terminal).parseAsync(['node', 'svc', ...args]);
    await Promise.race([written, ended]);
    const url = /http:\S+/.exec(lines[0] ?? '')?.[0];
    const headers = { authorization: 'Bearer k-local-test-key', 'content-type': 'application/json' };
    const state = { messages: [{ type: 'human', content: 'canary' }] };
    const body = JSON.stringify({ state });
    const started = await fetch(`${url}/start-session`, { method: 'POST', headers, body });
    const { session_id, events_url } = Object(await started.json());
    await (await fetch(events_url, { headers })).text();
    interrupt();
    await ended;
    const entries = errors.map((line) => JSON.parse(line));
    expect(entries).toMatchObject([
      {
        time: expect.any(String),
        level: 'info',
        message: 'session started',
        session_id,
        project_id: 'local',
      },
      { level: 'info', message: 'session ended', session_id, status: 'completed' },
    ]);
    expect(errors.join('')).not.toContain('canary');
  });
  it('stops when it is interrupted while it takes over earlier runs', async () => {
    const path = join(folder, 'runs.db');
    {
      await using store = sqliteRunStore({ path });
      const broken = { sessionId: 's', projectId: 'local', keyId: 'k', labels: {}, request: 'nothing' };
      await store.createRun({ ...broken, owner: 'x', nowMs: 0, leaseMs: 0 });
    }
    const { terminal, lines, interrupt } = recordingTerminal();
    const logged: string[] = [];
    const args = ['orchestrator', '--port', '0', '--drain-seconds', '0', '--store', path];
    const error = (text: string) => {
      logged.push(text);
      interrupt();
    };
    await createProgram({ ...terminal, error }).parseAsync(['node', 'svc', ...args]);
    expect(logged).not.toEqual([]);
    expect(lines).toEqual([]);
  });
  it('suggests --host when it cannot bind an address', async () => {
    await expect(run(['orchestrator', '--host', '203.0.113.1', '--port', '0'])).rejects.toThrow(
      /^Cannot bind port 0 on 203\.0\.113\.1 \(E\w+\); change --host/,
    );
  });

  it('suggests --port when the port is taken', async () => {
    const { port } = new URL(await startServer(() => {}));
    await expect(run(['orchestrator', '--port', port])).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use; choose another with --port`,
    );
  });
  it('refuses an invalid port, naming the flag or variable', async () => {
    await expect(run(['orchestrator', '--port', 'http'])).rejects.toThrow(
      '--port must be an integer from 0 to 65535, got "http"',
    );
    await expect(run(['orchestrator'], { SVC_PORT: 'http' })).rejects.toThrow(
      'SVC_PORT must be an integer from 0 to 65535, got "http"',
    );
  });
  it('refuses an empty --host, which would mean every address, and ignores an empty variable', async () => {
    await expect(run(['orchestrator', '--port', '0', '--host', ''])).rejects.toThrow(
      '--host is empty; pass an address such as 127.0.0.1, or omit it.',
    );
    const { terminal, lines, interrupt, written } = recordingTerminal({ SVC_HOST: '', SVC_PORT: ' 0 ' });
    const args = ['orchestrator', '--drain-seconds', '0'];
    const ended = createProgram(terminal).parseAsync(['node', 'svc', ...args]);
    await Promise.race([written, ended]);
    interrupt();
    await ended;
    expect(lines[0]).toMatch(/^Orchestrator ready: http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe('svc events tail', () => {
  it('prints one envelope per line until the session ends', async () => {
    const envelope = {
      id: 'e-1',
      type: 'update',
      timestamp: '2026-01-01T00:00:00Z',
      data: { contract_version: 'v1', event_name: 'update' },
    };
    const end = {
      ...envelope,
      id: 'e-2',
      type: 'session_end',
      data: { contract_version: 'v1', event_name: 'session_end', session_id: 's1' },
    };
    const origin = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const each of [envelope, end])
        response.write(`id: ${each.id}\nevent: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`);
    });
    const { lines } = await run(['events', 'tail', `${origin}/svc/events/s1`]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([envelope, end]);
  });
  it('says once why there is no connection while it retries', async () => {
    const end = { id: 'e-1', type: 'session_end', timestamp: '2026-01-01T00:00:00Z', data: {} };
    let asked = 0;
    const origin = await startServer((_request, response) => {
      asked += 1;
      if (asked < 3) return void response.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: e-1\nevent: session_end\ndata: ${JSON.stringify(end)}\n\n`);
    });
    const { lines, errors } = await run(['events', 'tail', `${origin}/svc/events/s1?token=canary`]);
    expect(lines).toHaveLength(1);
    expect(errors).toEqual([expect.stringMatching(/^No connection \(.+\); retrying\.$/)]);
    expect(errors[0]).not.toContain('canary');
  }, 60_000);
});

describe('svc doctor', () => {
  it.each(['0', '601', 'long'])('refuses --seconds %s', async (seconds) => {
    await expect(run(['doctor', 'http://127.0.0.1:9/x', '--seconds', seconds])).rejects.toThrow(
      `--seconds must be a positive number up to 600, got "${seconds}".`,
    );
  });
  it.each(['5', '2.01', '0.0001'])(
    'accepts --seconds %s, and reports that nothing answers',
    async (seconds) => {
      await expect(run(['doctor', 'http://127.0.0.1:9/x', '--seconds', seconds])).rejects.toThrow(
        'No answer from http://127.0.0.1:9',
      );
    },
  );
});
