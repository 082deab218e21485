import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LockstepDeath } from './lockstep-store.js';

/** Options of a `DoomedServer`. */
export interface DoomedServerOptions {
  /** The file of the bundled program `doomed-server`. */
  readonly program: string;
  /** The database file. */
  readonly path: string;
  readonly keys: readonly { key: string; project: string }[];
  /** How the n-th process (from 0) kills itself. @default not at all */
  readonly deathOf?: (life: number) => LockstepDeath;
}

/** A server process on a database file. Whenever it is killed, another one takes its place. */
export class DoomedServer {
  readonly #options: DoomedServerOptions;
  readonly #done: Promise<void>;
  #url = Promise.withResolvers<string>();
  #child: ChildProcess | undefined;
  #isStopped = false;
  #deaths = 0;

  constructor(options: DoomedServerOptions) {
    this.#options = options;
    this.#done = this.#live();
  }

  /** How many processes have died. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Resolves with the URL of the live process once it listens. */
  url(): Promise<string> {
    return this.#url.promise;
  }

  /** Kills the live process with SIGKILL. Returns false when it is already dying. */
  kill(): boolean {
    return this.#child?.killed === false && this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.kill();
    await this.#done;
  }

  async #live(): Promise<void> {
    const { program, path, keys, deathOf } = this.#options;
    while (!this.#isStopped) {
      const death = deathOf?.(this.#deaths);
      const options = ['--no-warnings', program, JSON.stringify({ path, keys, death })];
      this.#child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
      this.#child.stdout?.once('data', (url) => this.#url.resolve(String(url)));
      const [, signal] = await once(this.#child, 'exit');
      this.#url = Promise.withResolvers();
      if (signal !== 'SIGKILL') return this.#url.reject(new Error('The server exited by itself.'));
      this.#deaths += 1;
    }
  }
}
