import type {
  DocumentPlace,
  DocumentQuery,
  DocumentWrite,
  StoredDocument,
} from '@svc/contracts/orchestrator';
import { MemoryBound } from './memory-bound.js';

/** Documents in memory, in order of creation. Those that expire are bounded: the ones written first are dropped first. */
export class MemoryDocuments {
  readonly #collections = new Map<string, Map<string, StoredDocument>>();
  readonly #expiring = new MemoryBound();

  put(write: DocumentWrite): StoredDocument | undefined {
    const collection = this.#collection(write);
    const earlier = this.read(write, write.nowMs);
    if (write.ifVersion !== undefined && write.ifVersion !== (earlier?.version ?? 0)) return undefined;
    const { projectId, id, value, nowMs, expiresAtMs } = write;
    const document: StoredDocument = {
      projectId,
      collection: write.collection,
      id,
      value,
      version: (earlier?.version ?? 0) + 1,
      createdAtMs: earlier?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    };
    this.#forget(collection.get(id));
    // An expired document keeps an early place in the map, which a new one must not take over.
    if (!earlier) collection.delete(id);
    collection.set(id, document);
    if (expiresAtMs !== undefined)
      this.#expiring.add(document, { value: document, nowMs, drop: () => collection.delete(id) });
    return document;
  }

  read(place: DocumentPlace, nowMs: number): StoredDocument | undefined {
    const document = this.#collections.get(collectionKey(place))?.get(place.id);
    return document && !isExpired(document, nowMs) ? document : undefined;
  }

  list(query: DocumentQuery): StoredDocument[] {
    const all = [...(this.#collections.get(collectionKey(query))?.values() ?? [])];
    const live = all.filter((document) => !isExpired(document, query.nowMs));
    return (query.newestFirst ? live.reverse() : live).slice(0, query.limit);
  }

  delete(place: DocumentPlace): boolean {
    const collection = this.#collections.get(collectionKey(place));
    this.#forget(collection?.get(place.id));
    return collection?.delete(place.id) ?? false;
  }

  sweep(nowMs: number): void {
    for (const [key, documents] of this.#collections) {
      for (const [id, document] of documents) {
        if (!isExpired(document, nowMs)) continue;
        documents.delete(id);
        this.#forget(document);
      }
      if (documents.size === 0) this.#collections.delete(key);
    }
  }

  #forget(document: StoredDocument | undefined): void {
    if (document) this.#expiring.delete(document);
  }

  #collection(place: DocumentPlace): Map<string, StoredDocument> {
    const key = collectionKey(place);
    const documents = this.#collections.get(key) ?? new Map<string, StoredDocument>();
    this.#collections.set(key, documents);
    return documents;
  }
}

function collectionKey({ projectId, collection }: { projectId: string; collection: string }): string {
  return JSON.stringify([projectId, collection]);
}

function isExpired({ expiresAtMs }: StoredDocument, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}
