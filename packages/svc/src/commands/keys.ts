import type { RunStore } from '@svc/contracts/orchestrator';
import { createOrchestrator, type Keys } from '@svc/orchestrator';
import { UsageError, type Terminal } from '../terminal.js';
import { openExistingStore, openStore } from './open-store.js';

/** Where the keys are kept. */
export interface KeysFlags {
  store?: string | undefined;
}

async function withKeys<T>(store: RunStore | undefined, use: (keys: Keys) => Promise<T>): Promise<T> {
  if (!store) throw new UsageError('Say which store the orchestrator uses: --store <file>, or SVC_STORE.');
  await using orchestrator = createOrchestrator({ store });
  return await use(orchestrator.keys);
}

/** Makes a key and shows it, once. */
export async function createKey(
  flags: KeysFlags & { project: string; organization?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { project, organization } = flags;
  const { id, key } = await withKeys(openStore(flags.store, terminal.environment), (keys) =>
    keys.create(organization ? { project, organization } : { project }),
  );
  terminal.out(`${key}`);
  terminal.error(`Key ${id} of project ${project}. It is shown this once; the store holds its hash.`);
}

/** Lists keys, without the keys themselves. */
export async function listKeys(
  flags: KeysFlags & { project?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const list = await withKeys(openExistingStore(flags.store, terminal.environment), (keys) =>
    keys.list(flags.project ? { project: flags.project } : {}),
  );
  for (const { id, project, organization, createdAt, revokedAt } of list)
    terminal.out(
      [id, project, organization ?? '-', createdAt, revokedAt ? `revoked ${revokedAt}` : 'valid'].join('\t'),
    );
  if (list.length === 0) terminal.error('No keys yet: svc keys create --project <name>');
}

/** Revokes a key; running orchestrators on the store refuse it within 30 seconds and end its streams and runs. */
export async function revokeKey(id: string, flags: KeysFlags, terminal: Terminal): Promise<void> {
  const store = openExistingStore(flags.store, terminal.environment);
  const found = await withKeys(store, (keys) => keys.revoke(id));
  if (!found) throw new UsageError(`There is no key "${id}"; see svc keys list.`);
  terminal.out(`Key ${id} is revoked.`);
}
