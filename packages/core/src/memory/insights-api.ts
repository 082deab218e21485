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

/** Filters for listing insights. */
export interface InsightQuery extends PageOptions {
  /** Search terms. */
  search?: string | undefined;
  /** Lists only insights with this scope. */
  sharingScope?: MemoryInsight['sharing_scope'] | undefined;
  /** Lists only insights of this type. */
  insightType?: MemoryInsight['insight_type'] | undefined;
  /** Lists only insights with this origin. */
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

  /** Lists a page of the insights that match the filters. */
  async list(query?: InsightQuery): Promise<MemoryInsight[]> {
    refuseUnknownOptions(query ?? {}, KNOWN, 'insights.list');
    const { search, sharingScope, insightType, origin, limit, offset, ...options } = query ?? {};
    const filters = { search, sharing_scope: sharingScope, insight_type: insightType, origin };
    return this.#requests.list(
      ORCHESTRATOR_PATHS.insights(this.#requests.projectId),
      MemoryInsightSchema,
      { ...filters, limit, offset },
      options,
    );
  }

  /** Returns one insight. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemoryInsight> {
    return this.#requests.get(this.#path(id), MemoryInsightSchema, options);
  }

  /** Stores an insight. The request is not retried if its outcome is unknown. */
  async create(insight: InsightInput, options: MemoryRequestOptions = {}): Promise<MemoryInsight> {
    const body = compileInsight(checkOptions(InsightInputSchema, insight, 'insights.create'));
    const target = ORCHESTRATOR_PATHS.insights(this.#requests.projectId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryInsightSchema }, options);
  }

  /** Changes the given fields of an insight. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
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

  /** Deletes an insight. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#path(id), options);
  }

  /** Copies an insight to a wider scope. */
  async promote(
    id: string,
    promotion: MemoryRequestOptions & { targetScope: 'project' | 'org' },
  ): Promise<MemoryInsight> {
    refuseUnknownOptions(promotion, ['targetScope', 'signal'], 'insights.promote');
    const { targetScope, ...options } = promotion;
    const target = this.#requests.pathOf(ORCHESTRATOR_PATHS.promoteInsight, id);
    const body = { target_scope: targetScope };
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryInsightSchema }, options);
  }

  #path(id: string): string {
    return this.#requests.pathOf(ORCHESTRATOR_PATHS.insight, id);
  }
}
