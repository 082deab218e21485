import type { RedisClient } from './redis-client.js';

/** The options that the log and the store share. */
interface CommonOptions {
  readonly client: RedisClient;
  readonly prefix?: string | undefined;
}

/** @throws TypeError naming the option that is unknown or invalid. `further` lists the owner's own options. */
export function checkOptions(options: CommonOptions, owner: string, further: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null)
    // The value stays out of the error: a URL may contain a password.
    throw new TypeError(`options must be an object with a client, got ${kindOf(options)}`);
  const known = ['client', 'prefix', ...further];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`${owner}: unknown option '${unknown}'. Known options: ${known.join(', ')}.`);
  const { client }: Partial<CommonOptions> = options;
  const prefix = options.prefix ?? '';
  if (typeof client?.evalsha !== 'function')
    throw new TypeError(`client must be an ioredis client, got ${kindOf(client)}`);
  if ('isCluster' in client && client.isCluster === true)
    throw new TypeError('client must not be a Cluster: Redis Cluster is not supported');
  if (typeof prefix !== 'string') throw new TypeError(`prefix must be a string, got ${kindOf(prefix)}`);
}

/** @throws RangeError unless the value is a whole number of at least `smallest`. */
export function wholeFrom(smallest: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  const given = typeof value === 'number' ? value : kindOf(value);
  throw new RangeError(`${name} must be a whole number of at least ${smallest}, got ${given}`);
}

const kindOf = (value: unknown) => (value === null ? 'null' : typeof value);
