import { createHash } from 'node:crypto';
import { toRedisError } from './errors.js';
import type { RedisClient } from './redis-client.js';

/** What a script works on. */
export interface ScriptInput {
  readonly keys: readonly string[];
  readonly values?: readonly (string | number)[];
}

/** One atomic step in Redis. The server keeps the script, so that only its digest travels. */
export class RedisScript {
  readonly #action: string;
  readonly #source: string;
  readonly #digest: string;

  /** `action` says in errors what could not be done, such as `append an event`. */
  constructor(action: string, source: string) {
    this.#action = action;
    this.#source = source;
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  /** Runs it; texts in the answer are strings. @throws RedisError */
  async run(client: RedisClient, { keys, values = [] }: ScriptInput): Promise<unknown> {
    try {
      return await client.evalsha(this.#digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!isUnknownScript(error)) throw toRedisError(this.#action, error);
    }
    return this.#teach(() => client.eval(this.#source, keys.length, ...keys, ...values));
  }

  /** Runs it; texts in the answer are bytes. @throws RedisError */
  async runForBytes(client: RedisClient, { keys, values = [] }: ScriptInput): Promise<unknown> {
    const input = [String(keys.length), ...keys, ...values.map(String)];
    try {
      return await client.callBuffer('EVALSHA', this.#digest, ...input);
    } catch (error) {
      if (!isUnknownScript(error)) throw toRedisError(this.#action, error);
    }
    return this.#teach(() => client.callBuffer('EVAL', this.#source, ...input));
  }

  async #teach(run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      throw toRedisError(this.#action, error);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
