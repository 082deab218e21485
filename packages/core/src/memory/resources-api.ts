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

/** Filters for listing resources. */
export interface ResourceQuery extends PageOptions {
  /** Search terms. */
  search?: string | undefined;
  /** Lists only resources with this binding. */
  bindingType?: MemoryResource['binding_type'] | undefined;
  /** Lists only resources with this registration status. */
  status?: MemoryResource['registration_status'] | undefined;
  /** Lists only resources with all of these tags. */
  tags?: readonly string[] | undefined;
}

/** Filters for listing unbound resources. */
export interface UnboundQuery extends PageOptions {
  /** The minimum time for which they have been unbound, in days. */
  minAgeDays?: number | undefined;
}

/** The binding of a resource. */
export interface ResourceBinding extends MemoryRequestOptions {
  bindingType: MemoryResource['binding_type'];
  /** The id of the agent or swarm, for the binding `agent` or `swarm`. */
  targetId?: string | undefined;
}

const KNOWN = ['search', 'bindingType', 'status', 'tags', ...PAGE_OPTIONS] satisfies (keyof ResourceQuery)[];

/** The resources of the client's project. Identical content is stored once; different content is a new version. */
export class ResourcesApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  /** Lists a page of the resources that match the filters, without their content. */
  async list(query?: ResourceQuery): Promise<MemoryResource[]> {
    refuseUnknownOptions(query ?? {}, KNOWN, 'resources.list');
    const { search, bindingType, status, tags, limit, offset, ...options } = query ?? {};
    const filters = { search, binding_type: bindingType, status, tags };
    const path = ORCHESTRATOR_PATHS.resources(this.#requests.projectId);
    return this.#requests.list(path, MemoryResourceSchema, { ...filters, limit, offset }, options);
  }

  /** Returns one resource with its versions, without its content. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const path = this.#requests.pathOf(ORCHESTRATOR_PATHS.resource, id);
    return this.#requests.get(path, MemoryResourceDetailSchema, options);
  }

  /** Stores a resource. Identical content is stored once. */
  async create(resource: ResourceInput, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    const body = compileResource(checkOptions(ResourceInputSchema, resource, 'resources.create'));
    return this.#post(ORCHESTRATOR_PATHS.resources(this.#requests.projectId), body, options);
  }

  /** Changes the given fields of a resource; to change its content, see {@link replace}. */
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

  /** Deletes a resource; `restore` undoes it. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#requests.pathOf(ORCHESTRATOR_PATHS.resource, id), options);
  }

  /**
   * Replaces the content of a resource with a new version that supersedes this one. Its scope and its binding stay.
   *
   * @throws MaivnHTTPError `INVALID_REQUEST` for another scope or binding
   */
  async replace(
    id: string,
    resource: ResourceInput,
    options: MemoryRequestOptions = {},
  ): Promise<MemoryResourceDetail> {
    const body = compileResource(checkOptions(ResourceInputSchema, resource, 'resources.replace'));
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.replaceResource, id), body, options);
  }

  /** Restores a superseded or deleted version as the current one. */
  async restore(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.restoreResource, id), {}, options);
  }

  /** Restores the previous binding of a resource. */
  async rebind(id: string, options: MemoryRequestOptions = {}): Promise<MemoryResourceDetail> {
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.rebindResource, id), {}, options);
  }

  /** Changes the binding of a resource. */
  async bind(id: string, binding: ResourceBinding): Promise<MemoryResourceDetail> {
    refuseUnknownOptions(binding, ['bindingType', 'targetId', 'signal'], 'resources.bind');
    const { bindingType, targetId, ...options } = binding;
    const body = { binding_type: bindingType, target_id: targetId };
    return this.#post(this.#requests.pathOf(ORCHESTRATOR_PATHS.bindResource, id), body, options);
  }

  /** Lists a page of the resources that are not bound any more and could be deleted. */
  async listUnbound(query?: UnboundQuery): Promise<MemoryResourceCandidate[]> {
    refuseUnknownOptions(query ?? {}, ['minAgeDays', ...PAGE_OPTIONS], 'resources.listUnbound');
    const { minAgeDays, limit, offset, ...options } = query ?? {};
    const path = ORCHESTRATOR_PATHS.unboundResources(this.#requests.projectId);
    const filters = { min_age_days: minAgeDays, limit, offset };
    return this.#requests.list(path, MemoryResourceCandidateSchema, filters, options);
  }

  async #post(target: string, body: unknown, options: MemoryRequestOptions): Promise<MemoryResourceDetail> {
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryResourceDetailSchema }, options);
  }
}
