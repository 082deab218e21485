import type { JsonObject } from '@svc/contracts';
import { redactTexts } from '@svc/redaction';
import { cutText } from '../../cut-text.js';
import { hashOf } from '../resources/resource-content.js';
import { refuseWhenFull } from '../keeping/memory-limits.js';
import type { Insights } from '../knowledge/insights.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import type { OnMemoryPhase } from './memory-phase.js';
import type { PersistenceMode } from '../keeping/memory-policy.js';
import type { MemorySubject } from './memory-subject.js';
import { ownerOf } from '../records/memory-viewer.js';
import { freeId, type MemoryWriter } from '../keeping/memory-writer.js';
import { threadEntity, toolEntity } from './recall.js';
import type { Skills } from '../knowledge/skills.js';

/** One call of a run and how it ended. */
export interface RememberedCall {
  readonly toolName: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** The error is not the tool's: its result was withheld. */
  readonly isWithheld?: boolean;
}

/** How a run ended, as far as memory needs it. */
export interface RunOutcome {
  readonly isCompleted: boolean;
  readonly asked: string;
  readonly answer?: string;
  /** Calls that ran, in the order they were called. */
  readonly calls: readonly RememberedCall[];
}

/** What `remember` needs. */
export interface RememberParts {
  readonly writer: MemoryWriter;
  readonly skills: Skills;
  readonly insights: Insights;
}

const maxQuote = 600;
/** Tool names and error codes come from the caller, and may be of any length. */
const maxName = 256;
const failureHalfLifeDays = 30;

/**
 * Stores what a run can say about itself without interpretation: what was asked and answered in its thread, which tools
 * failed and how, and, if wanted, the order of tools that led to an answer. Repeating it stores nothing new and reports
 * the same again.
 */
export async function remember(
  subject: MemorySubject,
  ended: RunOutcome,
  {
    parts,
    persistence,
    onPhase,
  }: { parts: RememberParts; persistence: PersistenceMode; onPhase: OnMemoryPhase },
): Promise<void> {
  if (persistence === 'persist_none') return;
  const outcome = { ...ended, calls: ended.calls.map(shorten) };
  const withGraph = persistence === 'vector_plus_graph';
  const { writer } = parts;
  const stored = await writer.database.write(() => {
    const known = writer.database.runs.read(subject.sessionId);
    if (known) return writer.database.assets.withNumbers(known);
    return storeRun(subject, outcome, { parts, withGraph });
  });
  writer.onWritten();
  const edges = withGraph ? stored.flatMap((asset) => entitiesOf(asset, subject, outcome)).length : 0;
  await announce(stored, { onPhase, persistence, edges });
}

function shorten({ toolName, error, ...rest }: RememberedCall): RememberedCall {
  const short = error && { code: cutText(error.code, maxName), message: error.message };
  return { ...rest, toolName: cutText(toolName, maxName), ...(short ? { error: short } : {}) };
}

function storeRun(
  subject: MemorySubject,
  outcome: RunOutcome,
  { parts, withGraph }: { parts: RememberParts; withGraph: boolean },
): MemoryAsset[] {
  const { database, clock } = parts.writer;
  const { sessionId, settings, viewer } = subject;
  const { projectId } = viewer;
  const nowMs = clock.nowMs();
  // Checked before anything is written, for the maximum that one run can store.
  const addedRecords = 2 + (settings.insights?.maxCount ?? 0);
  refuseWhenFull(parts.writer, { projectId, addedRecords });
  const stored = [
    ...summarize(subject, outcome, parts),
    ...failurePatterns(subject, outcome, parts),
    ...procedures(subject, outcome, parts),
  ];
  if (withGraph)
    for (const asset of stored) database.edges.add(asset.number, entitiesOf(asset, subject, outcome), nowMs);
  database.runs.add({ sessionId, projectId, assets: stored.map(({ number }) => number), nowMs });
  return stored;
}

function summarize(
  { settings, viewer, sessionId }: MemorySubject,
  outcome: RunOutcome,
  { writer }: RememberParts,
): MemoryAsset[] {
  const owner = ownerOf('thread', viewer);
  if (!settings.summarizes || !owner || !outcome.isCompleted || !outcome.answer) return [];
  const { projectId, organization } = viewer;
  const tools = [...new Set(outcome.calls.map(({ toolName }) => toolName))];
  const lines = [
    `Asked: ${quote(outcome.asked)}`,
    ...(tools.length > 0 ? [`Tools: ${tools.join(', ')}`] : []),
    `Answered: ${quote(outcome.answer)}`,
  ];
  const text = lines.join('\n');
  return [
    writer.database.assets.insert({
      kind: 'summary',
      projectId,
      organization,
      id: freeId(writer, { projectId, kind: 'summary', wanted: sessionId }),
      ...owner,
      lineage: owner.ownerId,
      contentHash: hashOf(text),
      isLive: true,
      isRetained: true,
      sessionId,
      value: { asked: cutText(outcome.asked, 8_000), tools },
      sizeBytes: 0,
      passages: [text],
      nowMs: writer.clock.nowMs(),
    }),
  ];
}

/** A recurring failure gains weight, and its weight fades while it does not recur. */
function failurePatterns(
  { settings, viewer, sessionId }: MemorySubject,
  { calls }: RunOutcome,
  { insights, writer }: RememberParts,
): MemoryAsset[] {
  const { insights: wanted } = settings;
  const reach = wanted?.reach ?? (viewer.agentId ? 'agent' : 'swarm');
  const owner = ownerOf(reach, viewer);
  if (!wanted || !owner) return [];
  const failures = new Map(
    calls.flatMap(({ toolName, error, isWithheld }) =>
      error && !isWithheld ? [[`${toolName}\n${error.code}`, { toolName, error }]] : [],
    ),
  );
  const stored = [...failures].flatMap(([key, { toolName, error }]) => {
    const lineage = `failure:${hashOf(key)}`;
    const [known] = writer.database.assets.lineage(viewer.projectId, 'insight', { lineage, ...owner });
    const occurrences = Number(known?.value['occurrences'] ?? 0) + 1;
    const value: JsonObject = {
      insight_type: 'failure_pattern',
      content: `The tool ${toolName} failed with ${error.code}: ${withoutPersonalData(quote(error.message))}`,
      relevance_score: 1 - 0.5 ** occurrences,
      decay_model: 'exponential',
      half_life_days: failureHalfLifeDays,
      origin: 'ai_generated',
      occurrences,
      tool_name: toolName,
    };
    // Below the floor it is not worth storing; one already stored keeps counting.
    if (!known && Number(value['relevance_score']) < wanted.minRelevance) return [];
    return [{ owner, lineage, value, sessionId }];
  });
  return stored.slice(0, wanted.maxCount).map((draft) => insights.put(viewer, draft));
}

/**
 * The order of tools that led to an answer, if skills are wanted. Its confidence is how often it did, with a discount.
 */
function procedures(
  { settings, viewer, sessionId }: MemorySubject,
  { calls, isCompleted }: RunOutcome,
  { skills, writer }: RememberParts,
): MemoryAsset[] {
  const { skills: wanted } = settings;
  const owner = wanted && ownerOf(wanted.reach, viewer);
  const names = calls.map(({ toolName }) => toolName).filter((name, index, all) => name !== all[index - 1]);
  if (!wanted || !owner || names.length < 2 || names.length > 20) return [];
  const lineage = `procedure:${hashOf(JSON.stringify(names))}`;
  const [known] = writer.database.assets.lineage(viewer.projectId, 'skill', { lineage, ...owner });
  const applications = Number(known?.value['application_count'] ?? 0) + 1;
  const worked = isCompleted && calls.every(({ error }) => !error);
  const successes =
    Math.round(Number(known?.value['success_rate'] ?? 0) * (applications - 1)) + (worked ? 1 : 0);
  const confidence = (successes + 1) / (applications + 2);
  const counted = { application_count: applications, success_rate: successes / applications, confidence };
  if (known) {
    const isLive = confidence >= wanted.minConfidence && known.value['status'] === 'active';
    const { contentHash } = known;
    const nowMs = writer.clock.nowMs();
    const value = { ...known.value, ...counted };
    return [writer.database.assets.update(known, { ...owner, value, contentHash, isLive, nowMs })];
  }
  if (confidence < wanted.minConfidence || wanted.maxCount < 1) return [];
  const value: JsonObject = {
    name: cutText(names.join(' → '), 256),
    description: `Observed: these tools, called in this order, led to an answer.`,
    steps: names.map((tool) => ({ tool })),
    preconditions: {},
    postconditions: {},
    origin: 'ai_generated',
    status: 'active',
    ...counted,
  };
  return [skills.put(viewer, { owner, lineage, value, sessionId })];
}

function entitiesOf(
  { kind, value }: MemoryAsset,
  { viewer }: MemorySubject,
  { calls }: RunOutcome,
): string[] {
  const about = value['tool_name'];
  if (typeof about === 'string') return [toolEntity(about)];
  const tools = [...new Set(calls.map(({ toolName }) => toolEntity(toolName)))];
  const thread = kind === 'summary' && viewer.threadId !== undefined ? [threadEntity(viewer.threadId)] : [];
  return [...tools, ...thread];
}

/** An insight is read in conversations with other people. */
function withoutPersonalData(text: string): string {
  return redactTexts([text], { privateData: {} }).texts[0] ?? '';
}

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxQuote ? line : `${cutText(line, maxQuote)}…`;
}

async function announce(
  stored: readonly MemoryAsset[],
  { onPhase, persistence, edges }: { onPhase: OnMemoryPhase; persistence: PersistenceMode; edges: number },
): Promise<void> {
  const policy_mode = persistence;
  const of = (wanted: MemoryAsset['kind']) => stored.filter(({ kind }) => kind === wanted);
  const [summaries, insights, skills] = [of('summary'), of('insight'), of('skill')];
  if (summaries.length > 0) {
    const memory = { mode: 'summarize', policy_mode, persisted_count: summaries.length };
    await onPhase({ phase: 'memory_summarized', message: 'Turn summarized', memory });
  }
  if (insights.length > 0) {
    const memory = {
      mode: 'extract_insights',
      policy_mode,
      insight_count: insights.length,
      insights: insights.map(insightFacts),
    };
    await onPhase({ phase: 'memory_insight_extracted', message: 'Insights stored', memory });
  }
  if (skills.length > 0) {
    const memory = {
      mode: 'extract_skills',
      policy_mode,
      skill_count: skills.length,
      skills: skills.map(skillFacts),
    };
    await onPhase({ phase: 'memory_skill_extracted', message: 'Skills stored', memory });
  }
  const memory = {
    mode: 'index',
    policy_mode,
    persisted_count: stored.length,
    vector_rows: stored.length,
    graph_edges: edges,
  };
  if (stored.length > 0) await onPhase({ phase: 'memory_indexed', message: 'Run stored in memory', memory });
}

/** The fields of a skill that displays show. */
export function skillFacts({ value, reach }: MemoryAsset): JsonObject {
  return {
    name: value['name'] ?? '',
    description: value['description'] ?? '',
    confidence: value['confidence'] ?? 1,
    sharing_scope: reach,
  };
}

/** The fields of an insight that displays show. */
export function insightFacts({ value, reach }: MemoryAsset): JsonObject {
  return {
    insight_type: value['insight_type'] ?? 'lesson',
    content: value['content'] ?? '',
    relevance_score: value['relevance_score'] ?? 1,
    sharing_scope: reach,
  };
}
