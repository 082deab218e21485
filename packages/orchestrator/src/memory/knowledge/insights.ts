import { MemoryInsightSchema, SharingScopeSchema, type MemoryInsight } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';
import { DAY_MS } from '../../clock.js';
import { RequestError } from '../../errors.js';
import { StorableText } from '../../storable-text.js';
import { DECAY_MODELS } from './insight-relevance.js';
import type { MemoryAsset, MemoryDraft } from '../records/memory-asset.js';
import { refuseTooLong, refuseWhenFull } from '../keeping/memory-limits.js';
import type { MemoryOwner, MemoryReach } from '../records/memory-viewer.js';
import {
  findAsset,
  freeId,
  namedOwner,
  ownerAfter,
  recordBase,
  refuseTaken,
  refuseUnlessKept,
  type MemoryCaller,
  type MemoryWriter,
  type Page,
} from '../keeping/memory-writer.js';
import { RecordId } from '../records/record-id.js';
import { hashOf } from '../resources/resource-content.js';

const days = z.number().min(0).max(36_500);

/** The fields of an insight's body; others are ignored. */
export const InsightBodySchema = z.object({
  id: RecordId.nullish(),
  insight_type: MemoryInsightSchema.shape.insight_type.nullish(),
  content: z.string().trim().min(1).max(20_000).nullish(),
  sharing_scope: SharingScopeSchema.nullish(),
  agent_id: StorableText.max(256).nullish(),
  swarm_id: StorableText.max(256).nullish(),
  relevance_score: z.number().min(0).max(1).nullish(),
  decay_model: z.enum(DECAY_MODELS).nullish(),
  half_life_days: days.nullish(),
  ttl_days: days.nullable().optional(),
});
export type InsightBody = z.output<typeof InsightBodySchema>;

/** Which insights a list contains. */
export interface InsightQuery extends Page {
  readonly search?: string | undefined;
  readonly sharing_scope?: string | undefined;
  readonly insight_type?: string | undefined;
  readonly origin?: string | undefined;
}

/** From narrow to wide. */
const widths: Readonly<Record<MemoryReach, number>> = { thread: 0, agent: 1, swarm: 1, project: 2, org: 3 };

/** The insights of projects. */
export class Insights {
  readonly #writer: MemoryWriter;

  constructor(writer: MemoryWriter) {
    this.#writer = writer;
  }

  list(
    { projectId }: MemoryCaller,
    { insight_type, origin, sharing_scope: reach, ...query }: InsightQuery,
  ): MemoryInsight[] {
    const { database, clock } = this.#writer;
    const fields = { insight_type, origin };
    return database.assets
      .list({ ...query, projectId, kind: 'insight', reach, fields, nowMs: clock.nowMs() })
      .map(insightRecord);
  }

  get({ projectId }: MemoryCaller, id: string): MemoryInsight {
    return insightRecord(findAsset(this.#writer, { projectId, kind: 'insight', id }));
  }

  async create(caller: MemoryCaller, body: InsightBody): Promise<MemoryInsight> {
    refuseUnlessKept(this.#writer, caller);
    const owner = namedOwner(body.sharing_scope ?? 'project', caller, {
      agentId: body.agent_id,
      swarmId: body.swarm_id,
    });
    const value = insightValue(body, {});
    const id = body.id ?? undefined;
    const draft = { owner, id, lineage: id ?? hashOf(String(value['content'])), value };
    const asset = await this.#writer.database.write(() => {
      refuseTaken(this.#writer, { projectId: caller.projectId, kind: 'insight', id });
      return this.put(caller, draft);
    });
    return insightRecord(asset);
  }

  async update(caller: MemoryCaller, id: string, body: InsightBody): Promise<MemoryInsight> {
    refuseUnlessKept(this.#writer, caller);
    const { projectId } = caller;
    const asset = await this.#writer.database.write(() => {
      const known = findAsset(this.#writer, { projectId, kind: 'insight', id });
      const value = insightValue(body, known.value);
      const owner = ownerAfter(caller, known, body);
      refuseTooLong(value);
      return this.#change(known, { value, owner });
    });
    return insightRecord(asset);
  }

  async delete({ projectId }: MemoryCaller, id: string): Promise<void> {
    const { database } = this.#writer;
    await database.write(() =>
      database.assets.remove(findAsset(this.#writer, { projectId, kind: 'insight', id })),
    );
  }

  /**
   * Copies an insight for more readers; the original stays. Repeating it returns the same copy.
   * @throws RequestError `INVALID_REQUEST` when the scope is not wider
   */
  async promote(caller: MemoryCaller, id: string, target: 'project' | 'org'): Promise<MemoryInsight> {
    refuseUnlessKept(this.#writer, caller);
    const { projectId } = caller;
    const asset = await this.#writer.database.write(() => {
      const known = findAsset(this.#writer, { projectId, kind: 'insight', id });
      if (widths[target] <= widths[known.reach]) {
        const message = `An insight of scope "${known.reach}" cannot be promoted to "${target}", which is not wider.`;
        throw new RequestError(message, {
          code: 'INVALID_REQUEST',
          details: { sharing_scope: known.reach, target_scope: target },
        });
      }
      const value = { ...known.value, origin: 'user_promoted', promoted_from_id: known.id };
      return this.put(caller, {
        owner: { reach: target, ownerId: '' },
        lineage: `promoted:${known.id}`,
        value,
      });
    });
    return insightRecord(asset);
  }

  /** Stores an insight, replacing the words of one with the same lineage and owner. In a transaction. */
  put(caller: MemoryCaller, { owner, id, lineage, value, sessionId }: MemoryDraft): MemoryAsset {
    const { database, clock } = this.#writer;
    const { projectId, organization } = caller;
    const nowMs = clock.nowMs();
    const [known] = database.assets.lineage(projectId, 'insight', { lineage, ...owner });
    refuseTooLong(value);
    if (known) return this.#change(known, { value, owner });
    refuseWhenFull(this.#writer, { projectId });
    this.#writer.onWritten();
    return database.assets.insert({
      kind: 'insight',
      projectId,
      organization,
      id: freeId(this.#writer, { projectId, kind: 'insight', wanted: id }),
      ...owner,
      lineage,
      contentHash: hashOf(String(value['content'])),
      isLive: true,
      isRetained: value['origin'] === 'ai_generated',
      sessionId,
      value,
      sizeBytes: 0,
      passages: [String(value['content'])],
      nowMs,
      expiresAtMs: expiryOf(value, nowMs),
    });
  }

  #change(
    asset: MemoryAsset,
    { value, owner: { reach, ownerId } }: { value: JsonObject; owner: MemoryOwner },
  ): MemoryAsset {
    const nowMs = this.#writer.clock.nowMs();
    const hash = hashOf(String(value['content']));
    const isNew = hash !== asset.contentHash;
    if (isNew) this.#writer.onWritten();
    return this.#writer.database.assets.update(asset, {
      reach,
      ownerId,
      value,
      // Its words identify an insight without an id: whoever stores the old ones again means another insight.
      lineage: asset.lineage === asset.contentHash ? hash : asset.lineage,
      contentHash: hash,
      isLive: true,
      ...(isNew ? { passages: [String(value['content'])] } : {}),
      nowMs,
      expiresAtMs: expiryOf(value, nowMs),
    });
  }
}

function insightValue(body: InsightBody, known: JsonObject): JsonObject {
  const content = body.content ?? known['content'];
  if (typeof content !== 'string') {
    throw new RequestError('An insight needs content.', { code: 'INVALID_REQUEST' });
  }
  const ttl = body.ttl_days === undefined ? known['ttl_days'] : body.ttl_days;
  return {
    origin: 'user_promoted',
    ...known,
    insight_type: body.insight_type ?? known['insight_type'] ?? 'lesson',
    content,
    relevance_score: body.relevance_score ?? known['relevance_score'] ?? 1,
    decay_model: body.decay_model ?? known['decay_model'] ?? 'none',
    half_life_days: body.half_life_days ?? known['half_life_days'] ?? 0,
    ttl_days: ttl ?? null,
  };
}

function expiryOf({ ttl_days }: JsonObject, nowMs: number): number | undefined {
  return typeof ttl_days === 'number' ? nowMs + ttl_days * DAY_MS : undefined;
}

/** An insight in its wire form. */
function insightRecord(asset: MemoryAsset): MemoryInsight {
  const { value, expiresAtMs } = asset;
  return MemoryInsightSchema.parse({
    ...value,
    ...recordBase(asset),
    ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
  });
}
