import { MemoryInsightSchema, ORCHESTRATOR_PATHS, type MemoryInsight } from '@svc/contracts/orchestrator';
import { checkOptions, refuseUnknownOptions } from '../config/options.js';
import {
  compileInsight,
  InsightChangesSchema,
  InsightInputSchema,
  type InsightChanges,
  type InsightInput,
} from './insight-input.js';
import {
  PAGE_OPTIONS,
  type MemoryRequestOptions,
  type MemoryRequests,
  type PageOptions,
} from './memory-requests.js';

/** Which insights are wanted. */
export interface InsightQuery extends PageOptions {
  /** Words to find. */
  search?: string | undefined;
  /** Only those of this scope. */
  sharingScope?: MemoryInsight['sharing_scope'] | undefined;
  /** Only those of this kind. */
  insightType?: MemoryInsight['insight_type'] | undefined;
  /** Only those that came about this way. */
  origin?: MemoryInsight['origin'] | undefined;
}

const KNOWN = [
  'search',
  'sharingScope',
  'insightType',
  'origin',
  ...PAGE_OPTIONS,
] satisfies (keyof InsightQuery)[];

/** The insights of the client's project. */
export class InsightsApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  /** Those that fit, a page of them. */
  async list(asked?: InsightQuery): Promise<MemoryInsight[]> {
    const given = asked ?? {};
    refuseUnknownOptions(given, KNOWN, 'insights.list');
    const { search, sharingScope, insightType, origin, limit, offset, ...options } = given;
    const query = { search, sharing_scope: sharingScope, insight_type: insightType, origin, limit, offset };
    return this.#requests.list(
      ORCHESTRATOR_PATHS.insights(this.#requests.projectId),
      MemoryInsightSchema,
      query,
      options,
    );
  }

  /** One of them. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemoryInsight> {
    return this.#requests.get(this.#path(id), MemoryInsightSchema, options);
  }

  /** Stores one. It is sent once: an unclear outcome is not repeated. */
  async create(insight: InsightInput, options: MemoryRequestOptions = {}): Promise<MemoryInsight> {
    const body = compileInsight(checkOptions(InsightInputSchema, insight, 'insights.create'));
    const target = ORCHESTRATOR_PATHS.insights(this.#requests.projectId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryInsightSchema }, options);
  }

  /** Changes the fields that are given. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async update(
    id: string,
    changes: InsightChanges,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryInsight> {
    const body = compileInsight(checkOptions(InsightChangesSchema, changes, 'insights.update'));
    return this.#requests.send(
      { method: 'PATCH', target: this.#path(id), body, schema: MemoryInsightSchema },
      options,
    );
  }

  /** Removes one. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#path(id), options);
  }

  /** Makes a copy that more may be told. */
  async promote(
    id: string,
    given: MemoryRequestOptions & { targetScope: 'project' | 'org' },
  ): Promise<MemoryInsight> {
    refuseUnknownOptions(given, ['targetScope', 'signal'], 'insights.promote');
    const { targetScope, ...options } = given;
    const target = this.#requests.pathOf(ORCHESTRATOR_PATHS.promoteInsight, id);
    const body = { target_scope: targetScope };
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryInsightSchema }, options);
  }

  #path(id: string): string {
    return this.#requests.pathOf(ORCHESTRATOR_PATHS.insight, id);
  }
}
