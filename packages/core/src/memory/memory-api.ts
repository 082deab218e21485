import type { HttpClient } from '../http/http-client.js';
import { InsightsApi } from './insights-api.js';
import { MemoryRequests, requireId } from './memory-requests.js';
import { PolicyApi } from './policy-api.js';
import { ResourcesApi } from './resources-api.js';
import { SkillsApi } from './skills-api.js';

/** Administers what an orchestrator remembers. Records are in the protocol's own spelling. */
export class MemoryApi {
  /** Ways of doing something that runs may follow. */
  readonly skills: SkillsApi;
  /** Things learned that runs may be told. */
  readonly insights: InsightsApi;
  /** Files and addresses that runs may look into. */
  readonly resources: ResourcesApi;
  readonly #requests: MemoryRequests;

  /** Clients have one, as `client.memory`. */
  constructor(http: HttpClient, projectId: string | undefined) {
    this.#requests = new MemoryRequests(http, projectId);
    this.skills = new SkillsApi(this.#requests);
    this.insights = new InsightsApi(this.#requests);
    this.resources = new ResourcesApi(this.#requests);
  }

  /** The memory policy of an organization. */
  policy(organizationId: string): PolicyApi {
    return new PolicyApi(this.#requests, requireId(organizationId, "An organization's id"));
  }
}
