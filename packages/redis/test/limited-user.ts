import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisServer } from './redis-server.js';

/** A Redis user with the permissions that the guide names, and no others; the client does not name itself to the server. */
export const limitedUser = { username: 'limited', password: 'pw', disableClientInfo: true };

const guide = join(import.meta.dirname, '../../../docs/guide/redis.md');

/** Creates the user, with access to keys and channels that begin with a prefix. */
export async function addLimitedUser(server: RedisServer, prefix: string): Promise<void> {
  const [, needs = ''] = /^The user needs (.*?)\./ms.exec(await readFile(guide, 'utf8')) ?? [];
  const commands = [...needs.matchAll(/`([A-Z]+)`/g)].map(([, name]) => `+${name?.toLowerCase()}`);
  const groups = ['hash', 'stream', 'set', 'sortedset'].map((name) => `+@${name}`);
  const { username, password } = limitedUser;
  const places = ['resetkeys', 'resetchannels', `~${prefix}*`, `&${prefix}*`];
  const rights = ['-@all', ...commands, ...groups];
  await server.client().call('ACL', 'SETUSER', username, 'on', `>${password}`, ...places, ...rights);
}

/** Reads the log of commands that were denied to a user. */
export async function deniedCommands(server: RedisServer): Promise<unknown> {
  return server.client().call('ACL', 'LOG');
}
