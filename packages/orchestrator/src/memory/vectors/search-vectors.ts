import { setImmediate } from 'node:timers/promises';
import { cosine, unitVector, type Embedder } from './embedder.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';
import type { PassageHit, PassageSearch } from '../sqlite/passage-table.js';

/** Below this, texts are unrelated in every current model. */
const minCosine = 0.3;
const pageSize = 500;
/** How many of the newest passages a search scans. */
const maxScanned = 20_000;

/** The passages nearest in meaning, nearest first. Yields to other work after each page. */
export async function searchVectors(
  database: MemoryDatabase,
  {
    query,
    embedder,
    signal,
    ...search
  }: PassageSearch & { query: string; embedder: Embedder; signal: AbortSignal },
): Promise<PassageHit[]> {
  const [embedded] = await embedder.embed([query], signal);
  const wanted = embedded && unitVector(embedded);
  if (!wanted) return [];
  const best: { passage: number; score: number }[] = [];
  let below = Number.MAX_SAFE_INTEGER;
  for (let scanned = 0; scanned < maxScanned; scanned += pageSize) {
    const page = database.assets.passages.vectors(embedder.name, { ...search, below, limit: pageSize });
    for (const { passage, vector } of page) {
      const score = cosine(wanted, vector);
      if (score !== undefined && score >= minCosine) best.push({ passage, score });
    }
    best.sort((a, b) => b.score - a.score || b.passage - a.passage).splice(search.limit);
    below = page.at(-1)?.passage ?? 0;
    if (page.length < pageSize) break;
    await setImmediate();
    signal.throwIfAborted();
  }
  return best.flatMap(({ passage }) => database.assets.passages.read(passage, search) ?? []);
}
