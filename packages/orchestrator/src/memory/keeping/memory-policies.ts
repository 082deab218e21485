import { MemoryPolicySchema, type MemoryPolicy, type MemoryPurgeResponse } from '@svc/contracts/orchestrator';
import type * as z from 'zod';
import { DAY_MS } from '../../clock.js';
import { RequestError } from '../../errors.js';
import { effectivePolicy, retainedSince, type PolicyChangeSchema } from './memory-policy.js';
import { organizationId } from '../records/memory-viewer.js';
import type { MemoryCaller, MemoryWriter } from './memory-writer.js';

/** Confirms a purge, so that none happens by accident. */
const PURGE_TOKEN = 'PURGE_MEMORY';
/** How long it is remembered that a run was stored; the run itself has long ended by then. */
const runsKeptMs = 60 * DAY_MS;

/** The tables that a purge deletes from. */
const purgedTables = [
  'memory_assets',
  'memory_passages',
  'memory_text',
  'memory_edges',
  'memory_blobs',
] as const;

/** The policies of organizations, and their application to stored memory. */
export class MemoryPolicies {
  readonly #writer: MemoryWriter;

  constructor(writer: MemoryWriter) {
    this.#writer = writer;
  }

  get({ organization }: MemoryCaller): MemoryPolicy {
    const stored = this.#writer.database.policies.read(organization);
    const id = organizationId(organization);
    return {
      ...MemoryPolicySchema.parse(stored?.value ?? {}),
      ...(id === undefined ? {} : { organization_id: id }),
      ...(stored
        ? {
            created_at: new Date(stored.createdAtMs).toISOString(),
            updated_at: new Date(stored.updatedAtMs).toISOString(),
          }
        : {}),
    };
  }

  /** Changes the given fields, and applies the policy to existing records at once. */
  async change(
    caller: MemoryCaller,
    { enabled, ...limits }: z.output<typeof PolicyChangeSchema>,
  ): Promise<MemoryPolicy> {
    const { database, clock } = this.#writer;
    const change = { ...limits, ...(enabled == null ? {} : { enabled }) };
    const changed = await database.write(() => {
      const known = database.policies.read(caller.organization)?.value ?? {};
      const policy = MemoryPolicySchema.parse({ ...known, ...change });
      database.policies.write(caller.organization, JSON.parse(JSON.stringify(policy)), clock.nowMs());
      return policy;
    });
    await this.#retain(caller.organization, changed);
    return this.get(caller);
  }

  /**
   * Removes everything a project remembers, or what one run stored.
   * @throws RequestError `PURGE_NOT_CONFIRMED`
   */
  async purge(
    { projectId }: MemoryCaller,
    { confirmToken, sessionId }: { confirmToken: string | undefined; sessionId?: string | undefined },
  ): Promise<MemoryPurgeResponse> {
    if (confirmToken !== PURGE_TOKEN) {
      const message = `A purge cannot be undone; confirm it with confirm_token "${PURGE_TOKEN}".`;
      throw new RequestError(message, { code: 'PURGE_NOT_CONFIRMED' });
    }
    const { database } = this.#writer;
    await this.#inSteps(() => database.cleaner.purge({ projectId, sessionId }));
    await this.#inSteps(database.blobs.sweep());
    database.emptyLog();
    return {
      success: true,
      project_ids: [projectId],
      ...(sessionId ? { session_id: sessionId } : {}),
      tables: [...purgedTables],
    };
  }

  /** Removes what has expired or is beyond its organization's retention. */
  async sweep(): Promise<void> {
    const { database, clock } = this.#writer;
    const nowMs = clock.nowMs();
    await this.#inSteps(() => database.cleaner.expire(nowMs));
    for (const { organization, value } of database.policies.all())
      await this.#retain(organization, MemoryPolicySchema.parse(value));
    await this.#inSteps(database.blobs.sweep());
    await database.write(() => database.runs.sweep(nowMs - runsKeptMs));
    database.emptyLog();
  }

  async #retain(organization: string, policy: MemoryPolicy): Promise<void> {
    const { database, clock } = this.#writer;
    const { vectorRetentionDays, graphRetentionDays } = effectivePolicy(policy);
    const nowMs = clock.nowMs();
    if (vectorRetentionDays !== undefined) {
      const sinceMs = retainedSince(vectorRetentionDays, nowMs);
      await this.#inSteps(() => database.cleaner.retain(organization, sinceMs));
    }
    if (graphRetentionDays !== undefined) {
      const sinceMs = retainedSince(graphRetentionDays, nowMs);
      await database.write(() => database.cleaner.retainEdges(organization, sinceMs));
    }
  }

  /** Repeats a step until it has nothing left, so that streams and runs get their turn in between. */
  async #inSteps(step: () => number): Promise<void> {
    while ((await this.#writer.database.write(step)) > 0);
  }
}
