import {
  MemoryResourceCandidateSchema,
  MemoryResourceDetailSchema,
  MemoryResourceSchema,
  ORCHESTRATOR_PATHS,
  type MemoryResource,
  type MemoryResourceCandidate,
  type MemoryResourceDetail,
} from '@svc/contracts/orchestrator';
import {
  parseInput,
  type MemoryRequestOptions,
  type MemoryRequests,
  type PageOptions,
} from './memory-requests.js';
import {
  compileResource,
  ResourceChangesSchema,
  ResourceInputSchema,
  type ResourceChanges,
  type ResourceInput,
} from './resource-input.js';

/** Which resources are wanted. */
export interface ResourceQuery extends PageOptions {
  search?: string;
  bindingType?: MemoryResource['binding_type'];
  status?: MemoryResource['registration_status'];
  /** Only those with all of these tags. */
  tags?: readonly string[];
}

/** Which unbound resources are wanted. */
export interface UnboundQuery extends PageOptions {
  /** How long they have been unbound at least, in days. */
  minAgeDays?: number;
}

/** What a resource is bound to. */
export interface ResourceBinding extends MemoryRequestOptions {
  bindingType: MemoryResource['binding_type'];
  /** The agent or swarm. */
  targetId: string;
}

/** The resources of the client's project. The same content is stored once; other content is another version. */
export class ResourcesApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  async list({ search, bindingType, status, tags, limit, offset, ...options }: ResourceQuery = {}): Promise<
    MemoryResource[]
  > {
    const query = { search, binding_type: bindingType, status, tags, limit, offset };
    const path = ORCHESTRATOR_PATHS.resources(this.#requests.projectId);
    return this.#requests.list(path, MemoryResourceSchema, query, options);
  }

  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const path = ORCHESTRATOR_PATHS.resource(this.#requests.projectId, id);
    return this.#requests.get(path, MemoryResourceDetailSchema, options);
  }

  async create(resource: ResourceInput, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const body = compileResource(parseInput(ResourceInputSchema, resource, 'The resource'));
    return this.#post(ORCHESTRATOR_PATHS.resources(this.#requests.projectId), body, options);
  }

  /** Changes what is said of it; for other content see {@link replace}. */
  async update(
    id: string,
    changes: ResourceChanges,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryResourceDetail> {
    const body = compileResource(parseInput(ResourceChangesSchema, changes, 'The changes of a resource'));
    const target = ORCHESTRATOR_PATHS.resource(this.#requests.projectId, id);
    return this.#requests.send(
      { method: 'PATCH', target, body, schema: MemoryResourceDetailSchema },
      options,
    );
  }

  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(ORCHESTRATOR_PATHS.resource(this.#requests.projectId, id), options);
  }

  /** Gives it other content: a new version that supersedes this one. */
  async replace(
    id: string,
    resource: ResourceInput,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryResourceDetail> {
    const body = compileResource(parseInput(ResourceInputSchema, resource, 'The resource'));
    return this.#post(ORCHESTRATOR_PATHS.replaceResource(this.#requests.projectId, id), body, options);
  }

  /** Makes a superseded or deleted version the current one again. */
  async restore(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(ORCHESTRATOR_PATHS.restoreResource(this.#requests.projectId, id), {}, options);
  }

  /** Binds it to what it was bound to before. */
  async rebind(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(ORCHESTRATOR_PATHS.rebindResource(this.#requests.projectId, id), {}, options);
  }

  async bind(
    id: string,
    { bindingType, targetId, ...options }: ResourceBinding,
  ): Promise<MemoryResourceDetail> {
    const body = { binding_type: bindingType, target_id: targetId };
    return this.#post(ORCHESTRATOR_PATHS.bindResource(this.#requests.projectId, id), body, options);
  }

  /** Those that nothing is bound to any more, and that could be removed. */
  async listUnbound({ minAgeDays, limit, offset, ...options }: UnboundQuery = {}): Promise<
    MemoryResourceCandidate[]
  > {
    const path = ORCHESTRATOR_PATHS.unboundResources(this.#requests.projectId);
    const query = { min_age_days: minAgeDays, limit, offset };
    return this.#requests.list(path, MemoryResourceCandidateSchema, query, options);
  }

  async #post(target: string, body: unknown, options: MemoryRequestOptions): Promise<MemoryResourceDetail> {
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryResourceDetailSchema }, options);
  }
}
