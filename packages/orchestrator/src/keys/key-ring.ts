import type { JsonObject } from '@svc/contracts';
import type { RunStore, StoredDocument } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { Clock } from '../clock.js';
import { parseOptions } from '../parse-options.js';
import type { RandomText } from '../random-text.js';
import { parseDocument } from '../store/parse-document.js';
import { knownOperations } from './key-operation.js';
import { keyScope, readScope, type FixedKey, type KeyScope, type ReadScope } from './key-scope.js';
import { formatKey, hashKey, idOfKey, sameHash } from './key-token.js';

const KeyValueSchema = z.object({
  project: z.string(),
  organization: z.string().optional(),
  operations: z.array(z.string()).transform(knownOperations).optional(),
  hash: z.string(),
  revoked_at_ms: z.number().optional(),
});

const ListSchema = z.strictObject({ project: z.string().optional() });

/** The caller with a valid key. */
export interface Caller extends KeyScope {
  readonly keyId: string;
}

/** A key as it is listed; the key itself is shown once, when it is created. */
export interface KeyInfo extends KeyScope {
  /** The id that `revoke` takes; not a secret. */
  readonly id: string;
  /** When it was created, as an ISO 8601 date. */
  readonly createdAt: string;
  /** When it was revoked, as an ISO 8601 date; absent while it is valid. */
  readonly revokedAt?: string;
}

/** A fixed key in the form the ring takes. */
export interface RingKey extends FixedKey {
  /** The id under which its runs are stored. @default one derived from the key */
  readonly keyId?: string;
}

/** Creates, lists and revokes project keys. */
export interface Keys {
  /**
   * Creates a key for a project. `key` is returned only here: the store keeps its hash.
   * @throws MaivnSDKError `CONFIG_INVALID_OPTION` naming a missing, unknown or invalid field
   */
  create(scope: KeyScope): Promise<{ id: string; key: string }>;
  /**
   * Lists all keys, or those of `project`, oldest first, including revoked ones.
   * @throws RangeError naming an unknown or invalid option
   */
  list(options?: { project?: string | undefined }): Promise<KeyInfo[]>;
  /** Refuses the key from now on and ends its streams and runs. Resolves to `false` if there is no such key. */
  revoke(id: string): Promise<boolean>;
}

/** A fixed key, by its hash. */
interface HeldKey {
  readonly hash: string;
  readonly caller: Caller;
  /** Whether the store has it too; undefined until it is first used. */
  isStored?: boolean;
}

const collection = 'keys';
/** No limit, because a key missing from the list could not be found and revoked. */
const all = Number.MAX_SAFE_INTEGER;

/** Stores keys as hashes. */
export class KeyRing implements Keys {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #randomText: RandomText;
  readonly #fixed: readonly HeldKey[];
  readonly #onRevoked = new Set<(keyId: string) => void>();

  constructor(options: { store: RunStore; clock: Clock; randomText: RandomText; fixed: readonly RingKey[] }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#randomText = options.randomText;
    this.#fixed = options.fixed.map(({ key, keyId, ...scope }) => {
      const hash = hashKey(key);
      return { hash, caller: { keyId: keyId ?? `fixed-${hash.slice(0, 12)}`, ...scope } };
    });
  }

  async create(options: KeyScope): Promise<{ id: string; key: string }> {
    const scope = readScope(options);
    const id = this.#randomText(12).toLowerCase();
    const key = formatKey({ id, secret: this.#randomText(43) });
    const value = storedValue(scope, hashKey(key));
    const place = { projectId: '', collection, id, nowMs: this.#clock.nowMs() };
    const written = await this.#store.putDocument({ ...place, value, ifVersion: 0 });
    return written ? { id, key } : this.create(scope);
  }

  async list(options: { project?: string | undefined } = {}): Promise<KeyInfo[]> {
    const { project } = parseOptions(ListSchema, options ?? {}, 'keys.list');
    const nowMs = this.#clock.nowMs();
    const documents = await this.#store.listDocuments({ projectId: '', collection, nowMs, limit: all });
    return documents.map(keyInfo).filter((key) => project === undefined || key.project === project);
  }

  async revoke(id: string): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    const place = { projectId: '', collection, id };
    const document = await this.#store.readDocument(place, nowMs);
    if (!document) return false;
    const value = parseDocument(KeyValueSchema, document);
    const revoked = { ...storedValue(value, value.hash), revoked_at_ms: value.revoked_at_ms ?? nowMs };
    await this.#store.putDocument({ ...place, value: revoked, nowMs });
    for (const listener of this.#onRevoked) listener(id);
    return true;
  }

  /** The caller with this key; undefined when it is unknown or revoked. */
  async identify(key: string): Promise<Caller | undefined> {
    const hash = hashKey(key);
    // All fixed keys are compared, so that the timing does not reveal a near match.
    const fixed = this.#fixed.filter((each) => sameHash(each.hash, hash))[0];
    if (fixed?.isStored === false) return fixed.caller;
    const stored = await this.#find(key, hash);
    if (fixed) fixed.isStored = stored !== undefined;
    // A stored key that is passed as a fixed one too keeps its project, its limits and its revocation.
    if (!stored) return fixed?.caller;
    return stored.value.revoked_at_ms === undefined
      ? { keyId: stored.id, ...keyScope(stored.value) }
      : undefined;
  }

  /** Whether a key is still valid. */
  async isValid(keyId: string): Promise<boolean> {
    if (this.#fixed.some(({ caller }) => caller.keyId === keyId)) return true;
    const document = await this.#read(keyId);
    return document !== undefined && parseDocument(KeyValueSchema, document).revoked_at_ms === undefined;
  }

  /** Calls back at each revocation in this process; the returned function stops it. */
  onRevoked(listener: (keyId: string) => void): () => void {
    this.#onRevoked.add(listener);
    return () => this.#onRevoked.delete(listener);
  }

  async #find(key: string, hash: string) {
    const id = idOfKey(key);
    const document = id === undefined ? undefined : await this.#read(id);
    if (!document) return undefined;
    const value = parseDocument(KeyValueSchema, document);
    return sameHash(value.hash, hash) ? { id: document.id, value } : undefined;
  }

  #read(id: string): Promise<StoredDocument | undefined> {
    return this.#store.readDocument({ projectId: '', collection, id }, this.#clock.nowMs());
  }
}

function keyInfo(document: StoredDocument): KeyInfo {
  const { revoked_at_ms, ...scope } = parseDocument(KeyValueSchema, document);
  return {
    id: document.id,
    ...keyScope(scope),
    createdAt: new Date(document.createdAtMs).toISOString(),
    ...(revoked_at_ms === undefined ? {} : { revokedAt: new Date(revoked_at_ms).toISOString() }),
  };
}

function storedValue(scope: ReadScope, hash: string): JsonObject {
  const { operations, ...rest } = keyScope(scope);
  return { ...rest, ...(operations ? { operations: [...operations] } : {}), hash };
}
