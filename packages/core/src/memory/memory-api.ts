import type { HttpClient } from '../http/http-client.js';
import { InsightsApi } from './insights-api.js';
import { MemoryRequests, requireId } from './memory-requests.js';
import { PolicyApi } from './policy-api.js';
import { ResourcesApi } from './resources-api.js';
import { SkillsApi } from './skills-api.js';

/** Administers the memory of an orchestrator. Returned records have the field names of the protocol. */
export class MemoryApi {
  /** Skills: ways of doing something that runs may follow. */
  readonly skills: SkillsApi;
  /** Insights: things learned that runs may recall. */
  readonly insights: InsightsApi;
  /** Resources: files and URLs that runs may read. */
  readonly resources: ResourcesApi;
  readonly #requests: MemoryRequests;

  /** Use `client.memory`. */
  constructor(http: HttpClient, projectId: string | undefined) {
    this.#requests = new MemoryRequests(http, projectId);
    this.skills = new SkillsApi(this.#requests);
    this.insights = new InsightsApi(this.#requests);
    this.resources = new ResourcesApi(this.#requests);
  }

  /** Returns the API for the memory policy of an organization. */
  policy(organizationId: string): PolicyApi {
    return new PolicyApi(this.#requests, requireId(organizationId, 'organizationId'));
  }
}
