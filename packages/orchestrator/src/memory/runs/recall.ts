import type { JsonObject } from '@svc/contracts';
import { cutText } from '../../cut-text.js';
import type { RecalledItem } from '../../planning/plan-context.js';
import type { Embedder } from '../vectors/embedder.js';
import { anyWordQuery } from '../sqlite/full-text-query.js';
import { relevanceAt } from '../knowledge/insight-relevance.js';
import type { MemoryAsset, MemoryKind } from '../records/memory-asset.js';
import { retainedSince, type EffectivePolicy, type PersistenceMode } from '../keeping/memory-policy.js';
import { LEVEL_CHARACTERS, type MemorySettings } from './memory-settings.js';
import type { MemorySubject } from './memory-subject.js';
import { searchVectors } from '../vectors/search-vectors.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';
import type { PassageHit, PassageSearch } from '../sqlite/passage-table.js';

/** What `recall` needs. */
export interface RecallParts {
  readonly database: MemoryDatabase;
  readonly embedder: Embedder | undefined;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  readonly policy: EffectivePolicy;
  readonly persistence: PersistenceMode;
  readonly pinned: ReadonlySet<number>;
  /** Items for this run only, which come first. */
  readonly inline: readonly RecalledItem[];
  /** Receives failures of the embedding model; the search by words continues. */
  readonly onError: (error: unknown) => void;
}

/** What was found, best first, with counters for displays. */
export interface Recalled {
  readonly items: readonly RecalledItem[];
  /** The records behind the items. */
  readonly assets: readonly MemoryAsset[];
  readonly counters: JsonObject;
}

/** A record that was found, with its matching passages and score. */
interface Candidate {
  readonly asset: MemoryAsset;
  readonly passages: PassageHit[];
  score: number;
}

/** An item to give to a run, and its record if there is one. */
interface Offer {
  readonly item: RecalledItem;
  readonly asset?: MemoryAsset;
}

/** With this constant, rank 60 counts half as much as rank 0; it is the usual one for reciprocal rank fusion. */
const fusion = 60;
const passagesPerResource = 3;
/** Several passages may lead to one record, so this many are searched per candidate. */
const passagesPerCandidate = 4;

/** The hits of the first `limit` records. */
function firstRecords(hits: readonly PassageHit[], limit: number): PassageHit[] {
  const first = new Set([...new Set(hits.map(({ asset }) => asset.number))].slice(0, limit));
  return hits.filter(({ asset }) => first.has(asset.number));
}

function recordsOf(hits: readonly PassageHit[]): number {
  return new Set(hits.map(({ asset }) => asset.number)).size;
}

/** Finds what memory has for a turn: by words, by meaning and by topic, within the viewer's reach only. */
export async function recall(subject: MemorySubject, parts: RecallParts): Promise<Recalled> {
  const { settings, viewer, query } = subject;
  const { database, nowMs, policy, persistence } = parts;
  const kinds = kindsOf(subject);
  const search = {
    viewer,
    kinds,
    nowMs,
    retainedSinceMs: retainedSince(policy.vectorRetentionDays, nowMs),
    limit: settings.candidateLimit * passagesPerCandidate,
  };
  const ofCandidates = (hits: readonly PassageHit[]) => firstRecords(hits, settings.candidateLimit);
  if (kinds.length === 0) return none;
  const words = anyWordQuery(query);
  const byWord = words === undefined ? [] : ofCandidates(database.assets.passages.searchText(words, search));
  const meaning = await meaningHits(subject, search, parts);
  const byMeaning = ofCandidates(meaning.hits);
  const candidates = new Map<number, Candidate>();
  for (const hits of [byWord, byMeaning]) hits.forEach((hit, rank) => addHit(candidates, hit, rank));
  const edgesSinceMs = retainedSince(policy.graphRetentionDays, nowMs);
  const related =
    persistence === 'vector_plus_graph'
      ? database.edges.related(entitiesFor(subject, candidates, database), {
          ...search,
          limit: settings.candidateLimit,
          edgesSinceMs,
        })
      : [];
  related.forEach((asset, rank) => addAsset(candidates, asset, { database, rank }));
  addPinned(candidates, parts, search);
  return {
    ...choose(
      [...parts.inline.map((item) => ({ item })), ...offersOf([...candidates.values()], subject, nowMs)],
      settings,
    ),
    counters: {
      keyword_hits: recordsOf(byWord),
      vector_hits: recordsOf(byMeaning),
      graph_hits: related.length,
      ...(meaning.failed ? { status: 'partial' } : {}),
    },
  };
}

const none: Recalled = {
  items: [],
  assets: [],
  counters: { keyword_hits: 0, vector_hits: 0, graph_hits: 0 },
};

/** Conversations are found only in their own thread. */
function kindsOf({ settings, viewer }: MemorySubject): MemoryKind[] {
  const kinds: readonly MemoryKind[] = ['summary', 'skill', 'insight', 'resource'];
  return kinds.filter(
    (kind) => settings.counts[kind] > 0 && (kind !== 'summary' || viewer.threadId !== undefined),
  );
}

async function meaningHits(
  { query }: MemorySubject,
  search: PassageSearch,
  { database, embedder, signal, onError }: RecallParts,
): Promise<{ hits: PassageHit[]; failed: boolean }> {
  if (!embedder || query.trim() === '') return { hits: [], failed: false };
  try {
    return { hits: await searchVectors(database, { ...search, query, embedder, signal }), failed: false };
  } catch (error) {
    onError(error);
    return { hits: [], failed: true };
  }
}

function addHit(candidates: Map<number, Candidate>, hit: PassageHit, rank: number): void {
  const known = candidates.get(hit.asset.number) ?? { asset: hit.asset, passages: [], score: 0 };
  // Many matching passages do not make a record better: its best rank counts.
  if (!known.passages.some(({ passage }) => passage === hit.passage)) known.passages.push(hit);
  known.score = Math.max(known.score, 1 / (fusion + rank)) + (known.score > 0 ? 0.25 / (fusion + rank) : 0);
  candidates.set(hit.asset.number, known);
}

function addAsset(
  candidates: Map<number, Candidate>,
  asset: MemoryAsset,
  { database, rank }: { database: MemoryDatabase; rank: number },
): void {
  const known = candidates.get(asset.number);
  if (known) known.score += 0.5 / (fusion + rank);
  else {
    const first = database.assets.passages.first(asset);
    candidates.set(asset.number, { asset, passages: first ? [first] : [], score: 0.5 / (fusion + rank) });
  }
}

/** Stored assets of the run's request come before records that are merely similar. */
function addPinned(
  candidates: Map<number, Candidate>,
  { database, pinned }: RecallParts,
  search: PassageSearch,
): void {
  for (const number of pinned) {
    const found = candidates.get(number);
    if (found) found.score += 1;
    else {
      for (const passage of database.assets.passages.opening(number, search)) {
        addHit(candidates, passage, 0);
      }
      const added = candidates.get(number);
      if (added) added.score += 1;
    }
  }
}

/** The run's tools, and the topics of the best hits. */
function entitiesFor(
  { toolNames }: MemorySubject,
  candidates: ReadonlyMap<number, Candidate>,
  database: MemoryDatabase,
): string[] {
  const best = [...candidates.values()].toSorted((a, b) => b.score - a.score).slice(0, 5);
  const about = best.flatMap(({ asset }) => database.edges.of(asset.number));
  return [...new Set([...toolNames.map(toolEntity), ...about])].slice(0, 64);
}

/** The graph node of a tool. */
export function toolEntity(name: string): string {
  return `tool:${name}`;
}

/** The graph node of a conversation. */
export function threadEntity(threadId: string): string {
  return `thread:${threadId}`;
}

/** The items of the candidates, best first. */
function offersOf(
  candidates: readonly Candidate[],
  { settings, conversation }: MemorySubject,
  nowMs: number,
): Offer[] {
  const weighed = candidates.flatMap((candidate) => {
    const weight = weightOf(candidate.asset, nowMs);
    if (candidate.asset.kind === 'insight' && weight < settings.insightFloor) return [];
    return [{ ...candidate, score: candidate.score * weight }];
  });
  return weighed
    .toSorted(byScore)
    .filter(({ asset }) => !isInConversation(asset, conversation))
    .map((candidate) => ({ item: itemOf(candidate), asset: candidate.asset }));
}

/** Takes items from the front, within the limits on their number, their number per kind, and their total characters. */
function choose(offers: readonly Offer[], settings: MemorySettings): Pick<Recalled, 'items' | 'assets'> {
  const items: RecalledItem[] = [];
  const assets: MemoryAsset[] = [];
  const left = { ...settings.counts };
  let room = LEVEL_CHARACTERS[settings.level];
  for (const { item, asset } of offers) {
    if (items.length >= settings.topK) break;
    const text = cutText(item.text, room);
    // A short fragment of a text is useless.
    if (left[item.kind] <= 0 || text.length < Math.min(item.text.length, 80)) continue;
    left[item.kind] -= 1;
    room -= text.length;
    items.push({ ...item, text });
    if (asset) assets.push(asset);
  }
  return { items, assets };
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || b.asset.updatedAtMs - a.asset.updatedAtMs || b.asset.number - a.asset.number;

function weightOf({ kind, value, updatedAtMs }: MemoryAsset, nowMs: number): number {
  if (kind === 'skill') return Number(value['confidence'] ?? 1);
  if (kind !== 'insight') return 1;
  const facts = {
    relevance_score: Number(value['relevance_score']),
    half_life_days: Number(value['half_life_days']),
    decay_model: String(value['decay_model']),
  };
  return relevanceAt(facts, nowMs - updatedAtMs);
}

/** A turn that is in the conversation word for word needs no summary. */
function isInConversation({ kind, value }: MemoryAsset, conversation: readonly string[]): boolean {
  return kind === 'summary' && conversation.includes(String(value['asked']));
}

function itemOf({ asset, passages }: Candidate): RecalledItem {
  const { kind, id, value } = asset;
  if (kind !== 'resource') {
    const title = String(value['name'] ?? value['insight_type'] ?? 'Earlier in this conversation');
    return { kind, id, title, text: passages[0]?.text ?? '' };
  }
  const bodies = passages.filter(({ ordinal }) => ordinal > 0).slice(0, passagesPerResource);
  const shown = (bodies.length > 0 ? bodies : passages.slice(0, 1)).toSorted((a, b) => a.ordinal - b.ordinal);
  return { kind, id, title: String(value['name']), text: shown.map(({ text }) => text).join('\n…\n') };
}
