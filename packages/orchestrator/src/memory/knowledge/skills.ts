import { MemorySkillSchema, SharingScopeSchema, type MemorySkill } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';
import { RequestError } from '../../errors.js';
import { StorableText } from '../../storable-text.js';
import { JsonRecordSchema } from '../records/json-record.js';
import type { MemoryAsset, MemoryDraft } from '../records/memory-asset.js';
import { refuseTooLong, refuseWhenFull } from '../keeping/memory-limits.js';
import type { MemoryOwner } from '../records/memory-viewer.js';
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

const name = z.string().trim().min(1).max(256);
const description = z.string().max(20_000);
const object = JsonRecordSchema;

/** The fields of a skill's body; others are ignored. */
export const SkillBodySchema = z.object({
  id: RecordId.nullish(),
  skill_id: RecordId.nullish(),
  name: name.nullish(),
  title: name.nullish(),
  description: description.nullish(),
  content: description.nullish(),
  steps: z.array(object).max(200).nullish(),
  preconditions: object.nullish(),
  postconditions: object.nullish(),
  metadata: object.nullish(),
  sharing_scope: SharingScopeSchema.nullish(),
  agent_id: StorableText.max(256).nullish(),
  swarm_id: StorableText.max(256).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  origin: MemorySkillSchema.shape.origin.unwrap().nullish(),
  status: MemorySkillSchema.shape.status.unwrap().nullish(),
});
export type SkillBody = z.output<typeof SkillBodySchema>;

/** Which skills a list contains. */
export interface SkillQuery extends Page {
  readonly search?: string | undefined;
  readonly sharing_scope?: string | undefined;
  readonly origin?: string | undefined;
  readonly status?: string | undefined;
}

/** The skills of projects. */
export class Skills {
  readonly #writer: MemoryWriter;

  constructor(writer: MemoryWriter) {
    this.#writer = writer;
  }

  list(
    { projectId }: MemoryCaller,
    { origin, status, sharing_scope: reach, ...query }: SkillQuery,
  ): MemorySkill[] {
    const { database, clock } = this.#writer;
    const fields = { origin, status };
    return database.assets
      .list({ ...query, projectId, kind: 'skill', reach, fields, nowMs: clock.nowMs() })
      .map(skillRecord);
  }

  get({ projectId }: MemoryCaller, id: string): MemorySkill {
    return skillRecord(findAsset(this.#writer, { projectId, kind: 'skill', id }));
  }

  async create(caller: MemoryCaller, body: SkillBody): Promise<MemorySkill> {
    refuseUnlessKept(this.#writer, caller);
    const owner = namedOwner(body.sharing_scope ?? 'project', caller, {
      agentId: body.agent_id,
      swarmId: body.swarm_id,
    });
    const value = skillValue(body, {});
    const id = body.id ?? body.skill_id ?? undefined;
    const asset = await this.#writer.database.write(() => {
      refuseTaken(this.#writer, { projectId: caller.projectId, kind: 'skill', id });
      return this.put(caller, { owner, id, lineage: skillLineage(id, value), value });
    });
    return skillRecord(asset);
  }

  async update(caller: MemoryCaller, id: string, body: SkillBody): Promise<MemorySkill> {
    refuseUnlessKept(this.#writer, caller);
    const asset = await this.#writer.database.write(() => {
      const asset = findAsset(this.#writer, { projectId: caller.projectId, kind: 'skill', id });
      const value = skillValue(body, asset.value);
      const owner = ownerAfter(caller, asset, body);
      refuseTooLong(value);
      return this.#change(asset, { value, owner });
    });
    return skillRecord(asset);
  }

  async delete({ projectId }: MemoryCaller, id: string): Promise<void> {
    const { database } = this.#writer;
    await database.write(() =>
      database.assets.remove(findAsset(this.#writer, { projectId, kind: 'skill', id })),
    );
  }

  /** Stores a skill. The same content changes nothing, other content becomes its next version. In a transaction. */
  put(caller: MemoryCaller, { owner, id, lineage, value, sessionId }: MemoryDraft): MemoryAsset {
    const { database, clock } = this.#writer;
    const { projectId, organization } = caller;
    const [known] = database.assets.lineage(projectId, 'skill', { lineage, ...owner });
    if (known?.contentHash === contentHash(value)) return known;
    refuseTooLong(value);
    if (known) return this.#change(known, { value: { ...known.value, ...value }, owner });
    refuseWhenFull(this.#writer, { projectId });
    this.#writer.onWritten();
    return database.assets.insert({
      kind: 'skill',
      projectId,
      organization,
      id: freeId(this.#writer, { projectId, kind: 'skill', wanted: id }),
      ...owner,
      lineage,
      contentHash: contentHash(value),
      isLive: value['status'] === 'active',
      isRetained: value['origin'] === 'ai_generated',
      sessionId,
      value: { ...value, version: 1 },
      sizeBytes: 0,
      passages: [skillText(value)],
      nowMs: clock.nowMs(),
    });
  }

  #change(asset: MemoryAsset, { value, owner }: { value: JsonObject; owner: MemoryOwner }): MemoryAsset {
    const { database, clock } = this.#writer;
    const hash = contentHash(value);
    const isNew = hash !== asset.contentHash;
    const version = Number(asset.value['version'] ?? 1) + (isNew ? 1 : 0);
    // Its text may be old and lack a vector, because only records in force get one.
    this.#writer.onWritten();
    const isNamed = asset.lineage === skillLineage(undefined, asset.value);
    return database.assets.update(asset, {
      ...owner,
      value: { ...value, version },
      // Its name identifies a skill without an id: whoever stores the old name again means another skill.
      lineage: isNamed ? skillLineage(undefined, value) : asset.lineage,
      contentHash: hash,
      isLive: value['status'] === 'active',
      ...(isNew ? { passages: [skillText(value)] } : {}),
      nowMs: clock.nowMs(),
    });
  }
}

/** The stored form of a skill's body, merged into the known fields. @throws RequestError without any name */
export function skillValue(body: SkillBody, known: JsonObject): JsonObject {
  const title = body.name ?? body.title ?? known['name'];
  if (typeof title !== 'string') {
    throw new RequestError('A skill needs a name or a title.', { code: 'INVALID_REQUEST' });
  }
  return {
    application_count: 0,
    success_rate: 0,
    ...known,
    name: title,
    description: body.description ?? body.content ?? known['description'] ?? '',
    steps: body.steps ?? known['steps'] ?? [],
    preconditions: body.preconditions ?? known['preconditions'] ?? {},
    postconditions: body.postconditions ?? known['postconditions'] ?? {},
    metadata: body.metadata ?? known['metadata'] ?? {},
    confidence: body.confidence ?? known['confidence'] ?? 1,
    origin: body.origin ?? known['origin'] ?? 'user_defined',
    status: body.status ?? known['status'] ?? 'active',
  };
}

/**
 * Identifies a skill when it is stored again: by its id, otherwise by its name, which may look like another skill's id.
 */
export function skillLineage(id: string | undefined, { name: title }: JsonObject): string {
  return id === undefined ? `name:${String(title)}` : `id:${id}`;
}

/** A skill as text, for searches and for planners. */
export function skillText({
  name: title,
  description: about,
  steps,
  preconditions,
  postconditions,
}: JsonObject): string {
  const lines = Array.isArray(steps) ? steps.map((step, index) => `${index + 1}. ${stepText(step)}`) : [];
  const conditions = [
    ['Before', preconditions],
    ['After', postconditions],
  ].flatMap(([label, value]) =>
    value && Object.keys(value).length > 0 ? [`${String(label)}: ${JSON.stringify(value)}`] : [],
  );
  return [String(title), String(about ?? ''), ...lines, ...conditions]
    .filter((line) => line !== '')
    .join('\n');
}

function stepText(step: unknown): string {
  if (typeof step !== 'object' || step === null) return String(step);
  const [only, ...more] = Object.values(step);
  return typeof only === 'string' && more.length === 0 ? only : JSON.stringify(step);
}

function contentHash({
  name: title,
  description: about,
  steps,
  preconditions,
  postconditions,
}: JsonObject): string {
  return hashOf(JSON.stringify([title, about, steps, preconditions, postconditions]));
}

/** A skill in its wire form. */
function skillRecord(asset: MemoryAsset): MemorySkill {
  return MemorySkillSchema.parse({ ...asset.value, ...recordBase(asset) });
}
