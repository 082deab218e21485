import type { RedisClient } from './redis-client.js';

/** What a log and a store are both given. */
interface CommonOptions {
  readonly client: RedisClient;
  readonly prefix?: string;
}

/** @throws TypeError naming the option that does not exist or does not fit. `further` are those of this kind alone. */
export function checkOptions(options: CommonOptions, further: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null)
    // What was given stays out of the error: an address may carry a password.
    throw new TypeError(
      `client is needed: give { client }, not ${options === null ? 'null' : typeof options}`,
    );
  const known = ['client', 'prefix', ...further];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`the option ${unknown} does not exist; there are ${known.join(', ')}`);
  const { client, prefix = '' }: Partial<CommonOptions> = options;
  if (typeof client?.evalsha !== 'function') throw new TypeError('client must be an ioredis client');
  if ('isCluster' in client && client.isCluster === true)
    throw new TypeError('client must be of one server: Redis Cluster is not supported');
  if (typeof prefix !== 'string') throw new TypeError(`prefix must be a string, got ${typeof prefix}`);
}

/** @throws RangeError unless it is a whole number from a smallest one. */
export function wholeFrom(smallest: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  const given = typeof value === 'number' ? value : typeof value;
  throw new RangeError(`${name} must be a whole number of at least ${smallest}, got ${given}`);
}
