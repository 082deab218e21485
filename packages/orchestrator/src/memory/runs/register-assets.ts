import type { DefinedSkill } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import { RequestError } from '../../errors.js';
import { extractText } from '../resources/extract-text.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import type { OnMemoryPhase } from './memory-phase.js';
import type { PersistenceMode } from '../keeping/memory-policy.js';
import type { MemorySubject } from './memory-subject.js';
import { ownerOf } from '../records/memory-viewer.js';
import type { MemoryWriter } from '../keeping/memory-writer.js';
import type { RecalledItem } from '../../planning/plan-context.js';
import { attachmentDraft, boundDraft } from './resource-drafts.js';
import type { Registration, ResourceDraft, Resources } from '../resources/resources.js';
import { SkillBodySchema, skillLineage, skillText, skillValue, type Skills } from '../knowledge/skills.js';

/** The assets of a run's request: stored records to recall first, or items for this run only. */
export interface RegisteredAssets {
  /** The numbers of stored records. */
  readonly pinned: ReadonlySet<number>;
  readonly inline: readonly RecalledItem[];
  /** How many skills memory does not accept. Resources are counted in their own phases. */
  readonly skippedSkills: number;
}

/** What `registerAssets` needs. */
export interface RegisterParts {
  readonly writer: MemoryWriter;
  readonly skills: Skills;
  readonly resources: Resources;
}

/** Stores the skills and resources of a run's request. When nothing may be stored, they are for this run only. */
export async function registerAssets(
  subject: MemorySubject,
  {
    parts,
    persistence,
    onPhase,
  }: { parts: RegisterParts; persistence: PersistenceMode; onPhase: OnMemoryPhase },
): Promise<RegisteredAssets> {
  const keeps = persistence !== 'persist_none';
  const skills = keeps ? await storeSkills(subject, parts) : [];
  const inlineSkills = keeps ? [] : subject.skills.flatMap(inlineSkill);
  const groups = [
    { source: 'bound_resources', drafts: subject.resources.map((resource) => boundDraft(resource, subject)) },
    {
      source: 'message_attachments',
      drafts: subject.attachments.map((file) => attachmentDraft(file, subject)),
    },
  ];
  const stored: MemoryAsset[] = [...skills];
  for (const { source, drafts } of groups) {
    if (drafts.length === 0) continue;
    if (keeps) stored.push(...(await storeResources(drafts, { source, subject, parts, onPhase })));
    else await onPhase(inlinePhase(source, drafts.length));
  }
  return {
    pinned: new Set(stored.map(({ number }) => number)),
    inline: keeps ? [] : [...inlineSkills, ...(groups[0]?.drafts.flatMap(inlineResource) ?? [])],
    skippedSkills: subject.skills.length - skills.length - inlineSkills.length,
  };
}

async function storeSkills(
  subject: MemorySubject,
  { writer, skills }: RegisterParts,
): Promise<MemoryAsset[]> {
  const stored: MemoryAsset[] = [];
  for (const skill of subject.skills) {
    const body = readSkill(skill);
    const owner = body && ownerOf(body.sharing_scope ?? 'agent', subject.viewer);
    if (!body || !owner) continue;
    const value = skillValue(body, {});
    const id = body.skill_id ?? body.id ?? undefined;
    const draft = { owner, id, lineage: skillLineage(id, value), value, sessionId: subject.sessionId };
    const asset = await unlessRefused(writer.database.write(() => skills.put(subject.viewer, draft)));
    if (asset) stored.push(asset);
  }
  return stored;
}

/** Reads a skill as the SDK sends it. Its sender is its author, so its origin and status are set here. */
function readSkill(skill: DefinedSkill) {
  const parsed = SkillBodySchema.safeParse(skill);
  if (!parsed.success || !(parsed.data.name ?? parsed.data.title)) return undefined;
  return { ...parsed.data, origin: 'user_defined' as const, status: 'active' as const };
}

async function storeResources(
  drafts: readonly (ResourceDraft | undefined)[],
  {
    source,
    subject,
    parts,
    onPhase,
  }: { source: string; subject: MemorySubject; parts: RegisterParts; onPhase: OnMemoryPhase },
): Promise<MemoryAsset[]> {
  const { writer, resources } = parts;
  const memory = { mode: 'resource_registration', source };
  await onPhase({ phase: 'resource_registering', message: `Registering ${drafts.length} resources`, memory });
  const done: Registration[] = [];
  for (const draft of drafts) {
    const registration =
      draft && (await unlessRefused(writer.database.write(() => resources.register(subject.viewer, draft))));
    if (!registration) continue;
    const { asset } = registration;
    const isOwn =
      asset.sessionId === subject.sessionId && done.every((each) => each.asset.number !== asset.number);
    // After a crash, what the run had already stored is reported as it would have been then.
    done.push(isOwn ? resources.registrationOf(asset) : registration);
  }
  const counted = countsOf(done, drafts.length);
  await onPhase({
    phase: 'resource_registered',
    message: 'Resources registered',
    memory: { ...memory, ...counted },
  });
  for (const phase of ['dedup_reused', 'version_superseded'] as const) {
    const count = counted[`${phase}_count`];
    if (count > 0)
      await onPhase({
        phase: `resource_${phase}`,
        message: messages[phase],
        memory: { ...memory, ...counted },
      });
  }
  const extracted = done.filter(({ outcome }) => outcome !== 'reused');
  if (extracted.length > 0) await onPhase(extractedPhase(source, extracted));
  return done.map(({ asset }) => asset);
}

const messages = {
  dedup_reused: 'Reusing known content',
  version_superseded: 'A new version replaces an older one',
} as const;

function countsOf(done: readonly Registration[], requested: number) {
  const of = (outcome: Registration['outcome']) => done.filter((each) => each.outcome === outcome);
  const superseded = of('superseded').flatMap(({ superseded: old }) => (old ? [old.id] : []));
  return {
    status: done.length === requested ? 'found' : 'partial',
    registered_count: done.length - of('reused').length,
    reused_count: of('reused').length,
    dedup_reused_count: of('reused').length,
    version_superseded_count: superseded.length,
    skipped_count: requested - done.length,
    total_bytes: done.reduce((sum, { asset }) => sum + asset.sizeBytes, 0),
    resource_ids: done.map(({ asset }) => asset.id),
    superseded_resource_ids: superseded,
  };
}

function extractedPhase(source: string, done: readonly Registration[]) {
  const chunks = done.map(({ asset }) => Number(asset.value['chunk_count'] ?? 0));
  const memory: JsonObject = {
    mode: 'resource_extract',
    source,
    extracted_count: chunks.filter((count) => count > 0).length,
    skipped_count: chunks.filter((count) => count === 0).length,
    chunk_count: chunks.reduce((sum, count) => sum + count, 0),
  };
  return { phase: 'resource_extracted', message: 'Text extracted', memory };
}

function inlinePhase(source: string, count: number) {
  const memory: JsonObject = {
    mode: 'resource_registration',
    source,
    status: 'inline_available',
    registered_count: 0,
    resource_count: count,
  };
  return { phase: 'resource_registered', message: 'Resources are used in this run but not stored', memory };
}

/** A record over a limit is left out and counted; any other error is a failure. */
async function unlessRefused<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

function inlineSkill(skill: DefinedSkill): RecalledItem[] {
  const body = readSkill(skill);
  if (!body) return [];
  const value = skillValue(body, {});
  const title = String(value['name']);
  return [{ kind: 'skill', id: body.skill_id ?? title, title, text: skillText(value) }];
}

function inlineResource(draft: ResourceDraft | undefined): RecalledItem[] {
  if (!draft?.content) return [];
  const { passages } = extractText(draft.content.bytes, draft.content.mimeType);
  if (passages.length === 0) return [];
  return [
    {
      kind: 'resource',
      id: draft.resourceId ?? draft.name,
      title: draft.name,
      text: passages.slice(0, 3).join('\n\n'),
    },
  ];
}
