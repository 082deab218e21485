import { MemorySkillSchema, ORCHESTRATOR_PATHS, type MemorySkill } from '@svc/contracts/orchestrator';
import { checkOptions, refuseUnknownOptions } from '../config/options.js';
import {
  PAGE_OPTIONS,
  type MemoryRequestOptions,
  type MemoryRequests,
  type PageOptions,
} from './memory-requests.js';
import {
  compileSkill,
  SkillChangesSchema,
  SkillInputSchema,
  type SkillChanges,
  type SkillInput,
} from './skill-input.js';

/** Filters for listing skills. */
export interface SkillQuery extends PageOptions {
  /** Search terms. */
  search?: string | undefined;
  /** Lists only skills with this scope. */
  sharingScope?: MemorySkill['sharing_scope'] | undefined;
  /** Lists only skills with this origin. */
  origin?: MemorySkill['origin'] | undefined;
  /** Lists only skills with this status. */
  status?: MemorySkill['status'] | undefined;
}

const KNOWN = ['search', 'sharingScope', 'origin', 'status', ...PAGE_OPTIONS] satisfies (keyof SkillQuery)[];

/** The skills of the client's project. */
export class SkillsApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  /** Lists a page of the skills that match the filters. */
  async list(query?: SkillQuery): Promise<MemorySkill[]> {
    refuseUnknownOptions(query ?? {}, KNOWN, 'skills.list');
    const { search, sharingScope, origin, status, limit, offset, ...options } = query ?? {};
    const filters = { search, sharing_scope: sharingScope, origin, status };
    return this.#requests.list(
      ORCHESTRATOR_PATHS.skills(this.#requests.projectId),
      MemorySkillSchema,
      { ...filters, limit, offset },
      options,
    );
  }

  /** Returns one skill. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    return this.#requests.get(this.#path(id), MemorySkillSchema, options);
  }

  /** Stores a skill. The request is not retried if its outcome is unknown. */
  async create(skill: SkillInput, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    const body = compileSkill(checkOptions(SkillInputSchema, skill, 'skills.create'));
    const target = ORCHESTRATOR_PATHS.skills(this.#requests.projectId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemorySkillSchema }, options);
  }

  /** Changes the given fields of a skill. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async update(id: string, changes: SkillChanges, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    const body = compileSkill(checkOptions(SkillChangesSchema, changes, 'skills.update'));
    return this.#requests.send(
      { method: 'PATCH', target: this.#path(id), body, schema: MemorySkillSchema },
      options,
    );
  }

  /** Deletes a skill. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#path(id), options);
  }

  #path(id: string): string {
    return this.#requests.pathOf(ORCHESTRATOR_PATHS.skill, id);
  }
}
