import { createHash } from 'node:crypto';
import { toRedisError } from './errors.js';
import { hasByteScripts, type RedisClient } from './redis-client.js';

/** The keys and arguments of a script. */
export interface ScriptInput {
  readonly keys: readonly string[];
  readonly values?: readonly (string | number)[];
}

/** A Lua script, one atomic step in Redis. The server caches it, so only its digest is sent. */
export class RedisScript {
  readonly #action: string;
  readonly #source: string;
  readonly #digest: string;

  /** `action` completes the error message `Redis could not …`, for example `append an event`. */
  constructor(action: string, source: string) {
    this.#action = action;
    this.#source = source;
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  /** Runs the script; strings in the reply are JS strings. @throws RedisError */
  run(client: RedisClient, { keys, values = [] }: ScriptInput): Promise<unknown> {
    const input = [keys.length, ...keys, ...values] as const;
    return this.#run(
      () => client.evalsha(this.#digest, ...input),
      () => client.eval(this.#source, ...input),
    );
  }

  /** Runs the script; strings in the reply are buffers. @throws RedisError */
  async runForBytes(client: RedisClient, { keys, values = [] }: ScriptInput): Promise<unknown> {
    if (!hasByteScripts(client)) throw new TypeError('client must be an ioredis client');
    const input = [keys.length, ...keys, ...values] as const;
    return this.#run(
      () => client.evalshaBuffer(this.#digest, ...input),
      () => client.evalBuffer(this.#source, ...input),
    );
  }

  async #run(known: () => Promise<unknown>, unknown: () => Promise<unknown>): Promise<unknown> {
    try {
      return await known().catch((error: unknown) => {
        if (!isUnknownScript(error)) throw error;
        return unknown();
      });
    } catch (error) {
      throw toRedisError(this.#action, error);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
