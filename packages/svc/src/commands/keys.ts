import type { RunStore } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { createOrchestrator, KEY_OPERATIONS, type KeyOperation, type Keys } from '@svc/orchestrator';
import { UsageError, type Terminal } from '../terminal.js';
import { openExistingStore, openStore } from './open-store.js';

/** Where the keys are stored. */
export interface KeysFlags {
  store?: string | undefined;
}

async function withKeys<T>(store: RunStore | undefined, use: (keys: Keys) => Promise<T>): Promise<T> {
  if (!store)
    throw new UsageError(
      'No store; pass the file that the orchestrator uses as --store <file> or SVC_STORE.',
    );
  await using orchestrator = createOrchestrator({ store });
  return await use(orchestrator.keys);
}

function readOperations(names: string): KeyOperation[] {
  return names.split(',').map((part) => {
    const name = part.trim();
    const operation = KEY_OPERATIONS.find((each) => each === name);
    if (operation) return operation;
    throw new MaivnSDKError(
      `--operations must be one or more of ${KEY_OPERATIONS.join(',')}, got "${name}". Omit it to allow all.`,
      { code: 'CONFIG_INVALID_OPTION', details: { operations: [...KEY_OPERATIONS] } },
    );
  });
}

/** Flags of `svc keys create`. */
export interface CreateKeyFlags extends KeysFlags {
  project: string;
  organization?: string | undefined;
  /** Comma-separated names. @default all */
  operations?: string | undefined;
}

/** Creates a key and shows it once. @throws MaivnSDKError `CONFIG_INVALID_OPTION` for an unknown operation */
export async function createKey(flags: CreateKeyFlags, terminal: Terminal): Promise<void> {
  const { project, organization } = flags;
  const operations = flags.operations === undefined ? undefined : readOperations(flags.operations);
  const store = openStore(flags.store, terminal.environment);
  const { id, key } = await withKeys(store, (keys) => keys.create({ project, organization, operations }));
  terminal.out(key);
  terminal.error(`Key ${id} of project ${project}. It is shown only once; the store keeps its hash.`);
}

/** Lists keys, without the keys themselves. */
export async function listKeys(
  flags: KeysFlags & { project?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { project: onlyProject } = flags;
  if (onlyProject === '')
    throw new UsageError('--project is empty; pass a project, or omit it to list all keys.');
  const list = await withKeys(openExistingStore(flags.store, terminal.environment), (keys) =>
    keys.list({ project: onlyProject }),
  );
  for (const { id, project, organization = '-', operations, createdAt, revokedAt } of list) {
    const [permitted, state] = [operations?.join(',') ?? 'all', revokedAt ? `revoked ${revokedAt}` : 'valid'];
    terminal.out([id, project, organization, permitted, createdAt, state].join('\t'));
  }
  if (list.length > 0) return;
  const whose = onlyProject ? ` of project ${onlyProject}` : '';
  const inStore = flags.store ? ` --store ${flags.store}` : '';
  terminal.error(
    `No keys${whose} yet. Create one: svc keys create --project ${onlyProject ?? '<name>'}${inStore}`,
  );
}

/** Revokes a key; running orchestrators on the store refuse it within 30 seconds and end its streams and runs. */
export async function revokeKey(id: string, flags: KeysFlags, terminal: Terminal): Promise<void> {
  const store = openExistingStore(flags.store, terminal.environment);
  const found = await withKeys(store, (keys) => keys.revoke(id));
  if (!found) throw new UsageError(`There is no key "${id}"; see svc keys list.`);
  terminal.out(`Revoked key ${id}.`);
}
