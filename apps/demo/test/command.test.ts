import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './folder/temporary-folder.js';
import { field, post, readUntil } from './read-session.js';

const conditions = ['@svc/source', 'node', 'import', 'module', 'default'];

describe('the command', () => {
  let built: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    built = await temporaryFolder({
      'package.json': '{"type":"module","version":"0.0.0"}',
      'folder/one.txt': 'a\nb\n',
    });
    await build({
      configFile: false,
      logLevel: 'error',
      root: fileURLToPath(new URL('..', import.meta.url)),
      resolve: { conditions },
      ssr: { noExternal: true, resolve: { conditions } },
      build: { ssr: 'src/server.ts', outDir: join(built.root, 'dist') },
    });
    await mkdir(join(built.root, 'dist/page'));
    await writeFile(join(built.root, 'dist/page/index.html'), '<p>the page</p>');
  });
  afterAll(() => built?.[Symbol.asyncDispose]());

  /** Starts the demo and collects what it prints. */
  function start(environment: Record<string, string>) {
    const child: ChildProcess = spawn(process.execPath, [join(built.root, 'dist/server.js')], {
      env: { PATH: process.env['PATH'], SVC_DEMO_ROOT: join(built.root, 'folder'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (printed.text += chunk.toString()));
    const ended = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    return { printed, ended, [Symbol.asyncDispose]: stop };
  }
  const addressOf = async ({ printed }: ReturnType<typeof start>) => {
    await expect.poll(() => printed.text).toMatch(/\n/);
    expect(printed.text).toMatch(/^Demo ready: http:/);
    return /^Demo ready: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(printed.text)?.[1] ?? '';
  };

  it('prints its URL, serves the page, and reports a taken or invalid port', async () => {
    await using demo = start({ PORT: '0' });
    const url = await addressOf(demo);
    expect(await (await fetch(url)).text()).toContain('the page');
    const { port } = new URL(url);
    await using second = start({ PORT: port });
    expect((await second.ended)[0]).toBe(1);
    expect(second.printed.text).toBe(`Port ${port} is in use; choose another one: PORT=3001\n`);
    await using third = start({ PORT: 'high' });
    expect((await third.ended)[0]).toBe(1);
    expect(third.printed.text).toContain('PORT must be an integer from 0 to 65535, got "high"');
  });

  it('plans offline by default, and with a model when the environment names one', async () => {
    const asked: string[] = [];
    const service = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const answer = async (environment: Record<string, string>) => {
      await using demo = start({ PORT: '0', ...environment });
      const url = await addressOf(demo);
      const { body } = await post(`${url}/api/runs`, { message: 'How many lines does one.txt have?' });
      const events = await readUntil(`${url}/svc/events/${String(body['session_id'])}`, ({ type }) =>
        ['final', 'error'].includes(type),
      );
      return events.at(-1);
    };
    expect(field(await answer({}), 'response')).toBe('`one.txt`: **2** lines.');
    expect(asked).toEqual([]);
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
    const model = { SVC_MODEL: 'any', SVC_MODEL_BASE_URL: base, SVC_MODEL_API_KEY: 'a-key' };
    expect(field(await answer(model), 'status')).toBe('failed');
    expect(asked).toEqual(['POST /v1/chat/completions Bearer a-key']);
    service.close();
  });
});
