import {
  MemoryResourceCandidateSchema,
  MemoryResourceDetailSchema,
  MemoryResourceSchema,
  ORCHESTRATOR_PATHS,
  type MemoryResource,
  type MemoryResourceCandidate,
  type MemoryResourceDetail,
} from '@svc/contracts/orchestrator';
import { checkOptions, refuseUnknownOptions } from '../config/options.js';
import {
  PAGE_OPTIONS,
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
  /** Words to find. */
  search?: string | undefined;
  /** Only those that are bound this way. */
  bindingType?: MemoryResource['binding_type'] | undefined;
  /** Only those in this state of registration. */
  status?: MemoryResource['registration_status'] | undefined;
  /** Only those with all of these tags. */
  tags?: readonly string[] | undefined;
}

/** Which unbound resources are wanted. */
export interface UnboundQuery extends PageOptions {
  /** How long they have been unbound at least, in days. */
  minAgeDays?: number | undefined;
}

/** What a resource is bound to. */
export interface ResourceBinding extends MemoryRequestOptions {
  /** Whether `targetId` is an agent or a swarm. */
  bindingType: MemoryResource['binding_type'];
  /** The agent or swarm. */
  targetId: string;
}

const KNOWN = ['search', 'bindingType', 'status', 'tags', ...PAGE_OPTIONS] satisfies (keyof ResourceQuery)[];

/** The resources of the client's project. The same content is stored once; other content is another version. */
export class ResourcesApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  /** Those that fit, a page of them, without their content. */
  async list(asked?: ResourceQuery): Promise<MemoryResource[]> {
    const given = asked ?? {};
    refuseUnknownOptions(given, KNOWN, 'resources.list');
    const { search, bindingType, status, tags, limit, offset, ...options } = given;
    const query = { search, binding_type: bindingType, status, tags, limit, offset };
    const path = ORCHESTRATOR_PATHS.resources(this.#requests.projectId);
    return this.#requests.list(path, MemoryResourceSchema, query, options);
  }

  /** One of them with its content. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const path = this.#requests.pathOf(ORCHESTRATOR_PATHS.resource, id);
    return this.#requests.get(path, MemoryResourceDetailSchema, options);
  }

  /** Stores one. The same content is stored once. */
  async create(resource: ResourceInput, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const body = compileResource(checkOptions(ResourceInputSchema, resource, 'resources.create'));
    return this.#post(ORCHESTRATOR_PATHS.resources(this.#requests.projectId), body, options);
  }

  /** Changes what is said of it; for other content see {@link replace}. */
  async update(
    id: string,
    changes: ResourceChanges,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryResourceDetail> {
    const body = compileResource(checkOptions(ResourceChangesSchema, changes, 'resources.update'));
    const target = this.#requests.pathOf(ORCHESTRATOR_PATHS.resource, id);
    return this.#requests.send(
      { method: 'PATCH', target, body, schema: MemoryResourceDetailSchema },
      options,
    );
  }

  /** Removes one; `restore` brings it back. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#requests.pathOf(ORCHESTRATOR_PATHS.resource, id), options);
  }

  /** Gives it other content: a new version that supersedes this one. */
  async replace(
    id: string,
    resource: ResourceInput,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryResourceDetail> {
    const body = compileResource(checkOptions(ResourceInputSchema, resource, 'resources.replace'));
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.replaceResource, id), body, options);
  }

  /** Makes a superseded or deleted version the current one again. */
  async restore(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.restoreResource, id), {}, options);
  }

  /** Binds it to what it was bound to before. */
  async rebind(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.rebindResource, id), {}, options);
  }

  /** Binds it to an agent or a swarm. */
  async bind(id: string, given: ResourceBinding): Promise<MemoryResourceDetail> {
    refuseUnknownOptions(given, ['bindingType', 'targetId', 'signal'], 'resources.bind');
    const { bindingType, targetId, ...options } = given;
    const body = { binding_type: bindingType, target_id: targetId };
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.bindResource, id), body, options);
  }

  /** Those that nothing is bound to any more, and that could be removed. */
  async listUnbound(asked?: UnboundQuery): Promise<MemoryResourceCandidate[]> {
    const given = asked ?? {};
    refuseUnknownOptions(given, ['minAgeDays', ...PAGE_OPTIONS], 'resources.listUnbound');
    const { minAgeDays, limit, offset, ...options } = given;
    const path = ORCHESTRATOR_PATHS.unboundResources(this.#requests.projectId);
    const query = { min_age_days: minAgeDays, limit, offset };
    return this.#requests.list(path, MemoryResourceCandidateSchema, query, options);
  }

  async #post(target: string, body: unknown, options: MemoryRequestOptions): Promise<MemoryResourceDetail> {
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryResourceDetailSchema }, options);
  }
}
