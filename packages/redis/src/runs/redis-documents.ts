import type { JsonValue } from '@svc/contracts';
import type {
  DocumentPlace,
  DocumentQuery,
  DocumentWrite,
  StoredDocument,
} from '@svc/contracts/orchestrator';
import { countOf, timeOf } from '../stored-text.js';
import {
  deleteScript,
  expireScript,
  incrementScript,
  listDocumentsScript,
  putScript,
  readDocumentScript,
} from './document-scripts.js';
import { documentUnreadable } from './errors.js';
import type { StoreContext } from './redis-runs.js';

const EXPIRED_PER_STEP = 200;

/** Documents and counters in Redis. */
export class RedisDocuments {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  async put({ nowMs, ifVersion, ...document }: DocumentWrite): Promise<StoredDocument | undefined> {
    const { client, scriptBase, lanes } = this.#context;
    const { id, value, expiresAtMs } = document;
    const place = placeOf(document);
    const given = [JSON.stringify(value), nowMs, expiresAtMs ?? '-', ifVersion ?? ''];
    const reply = await lanes.run(`document ${place} ${id}`, (step) =>
      putScript.run(client, {
        keys: this.#keys(document),
        values: [scriptBase, place, id, ...given, `${lanes.writer}.${step}`],
      }),
    );
    if (!Array.isArray(reply)) return undefined;
    const [version, createdAtMs] = reply.map(Number);
    return { ...document, version: version ?? 0, createdAtMs: createdAtMs ?? nowMs, updatedAtMs: nowMs };
  }

  async read(place: DocumentPlace, nowMs: number): Promise<StoredDocument | undefined> {
    const [documents = ''] = this.#keys(place);
    const input = { keys: [documents], values: [place.id] };
    const stored = await readDocumentScript.run(this.#context.client, input);
    if (typeof stored !== 'string') return undefined;
    const document = decodeDocument(place, stored);
    return document.expiresAtMs !== undefined && document.expiresAtMs <= nowMs ? undefined : document;
  }

  async list(query: DocumentQuery): Promise<StoredDocument[]> {
    const { nowMs, limit, newestFirst } = query;
    const input = { keys: this.#keys(query), values: [nowMs, limit, newestFirst ? '1' : ''] };
    const found = (await listDocumentsScript.run(this.#context.client, input)) as string[];
    const documents: StoredDocument[] = [];
    for (let i = 0; i < found.length; i += 2) {
      documents.push(decodeDocument({ ...query, id: found[i] ?? '' }, found[i + 1] ?? ''));
    }
    return documents;
  }

  async delete(place: DocumentPlace): Promise<boolean> {
    const { client, scriptBase } = this.#context;
    const input = { keys: this.#keys(place), values: [scriptBase, placeOf(place), place.id] };
    return Number(await deleteScript.run(client, input)) === 1;
  }

  async increment(
    name: string,
    by: number,
    { nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number },
  ): Promise<number> {
    const { client, base, scriptBase, lanes } = this.#context;
    const value = await lanes.run(`counter ${name}`, (step) =>
      incrementScript.run(client, {
        keys: [`${base}counter:${name}`],
        values: [scriptBase, name, by, nowMs, expiresAtMs, lanes.writer, step],
      }),
    );
    return Number(value);
  }

  async sweep(nowMs: number): Promise<void> {
    const { client, base, scriptBase } = this.#context;
    const input = {
      keys: [`${base}expiring`, `${base}counters`],
      values: [scriptBase, nowMs, EXPIRED_PER_STEP],
    };
    while (Number(await expireScript.run(client, input)) > 0);
  }

  #keys(place: Pick<DocumentPlace, 'projectId' | 'collection'>): string[] {
    const { base } = this.#context;
    return [`${base}documents:${placeOf(place)}`, `${base}order:${placeOf(place)}`];
  }
}

function placeOf({ projectId, collection }: Pick<DocumentPlace, 'projectId' | 'collection'>): string {
  return JSON.stringify([projectId, collection]);
}

/** @throws RunStoreError `DOCUMENT_UNREADABLE` */
function decodeDocument({ projectId, collection, id }: DocumentPlace, stored: string): StoredDocument {
  const headEnd = stored.indexOf('\n');
  const [version, created, updated, expires] = stored.slice(0, headEnd).split(' ');
  try {
    return {
      projectId,
      collection,
      id,
      value: JSON.parse(stored.slice(headEnd + 1)) as JsonValue,
      version: countOf(version),
      createdAtMs: timeOf(created),
      updatedAtMs: timeOf(updated),
      ...(expires !== '-' && { expiresAtMs: timeOf(expires) }),
    };
  } catch {
    throw documentUnreadable({ collection, id });
  }
}
