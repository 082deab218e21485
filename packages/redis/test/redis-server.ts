import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!isInstalled && !process.env['CI'])
  console.log('redis-server is not installed: tests against Redis are skipped');

/** Whether tests that need Redis run: always in CI, elsewhere if it is installed. */
export const hasRedis = isInstalled || Boolean(process.env['CI']);

/** A Redis process for tests, with its own directory. */
export class RedisServer {
  readonly port: number;
  readonly #directory: string;
  readonly #settings: readonly string[];
  readonly #clients = new Set<Redis>();
  #process: ChildProcess | undefined;

  private constructor(port: number, directory: string, settings: readonly string[]) {
    this.port = port;
    this.#directory = directory;
    this.#settings = settings;
  }

  /** Starts a Redis, with settings such as `['--appendonly', 'yes']`. */
  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'svc-redis-')), settings);
    await server.run();
    return server;
  }

  /** Starts the process, or restarts it with its existing data. */
  async run(): Promise<void> {
    const settings = [
      '--port',
      String(this.port),
      '--dir',
      this.#directory,
      '--save',
      '',
      '--loglevel',
      'warning',
    ];
    this.#process = spawn('redis-server', [...settings, ...this.#settings], { stdio: 'ignore' });
    const probe = new Redis({ port: this.port, retryStrategy: () => 20, maxRetriesPerRequest: 500 });
    probe.on('error', () => {});
    await probe.ping();
    probe.disconnect();
  }

  /** Kills the process, as a power failure would. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** Creates a client that reconnects quickly. It is closed with the server. */
  client(options: RedisOptions = {}): Redis {
    const client = new Redis({ port: this.port, retryStrategy: () => 20, ...options });
    client.on('error', () => {});
    this.#clients.add(client);
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
