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

/** Which skills are wanted. */
export interface SkillQuery extends PageOptions {
  /** Words to find. */
  search?: string | undefined;
  /** Only those of this scope. */
  sharingScope?: MemorySkill['sharing_scope'] | undefined;
  /** Only those that came about this way. */
  origin?: MemorySkill['origin'] | undefined;
  /** Only those in this state. */
  status?: MemorySkill['status'] | undefined;
}

const KNOWN = ['search', 'sharingScope', 'origin', 'status', ...PAGE_OPTIONS] satisfies (keyof SkillQuery)[];

/** The skills of the client's project. */
export class SkillsApi {
  readonly #requests: MemoryRequests;

  constructor(requests: MemoryRequests) {
    this.#requests = requests;
  }

  /** Those that fit, a page of them. */
  async list(asked?: SkillQuery): Promise<MemorySkill[]> {
    const given = asked ?? {};
    refuseUnknownOptions(given, KNOWN, 'skills.list');
    const { search, sharingScope, origin, status, limit, offset, ...options } = given;
    const query = { search, sharing_scope: sharingScope, origin, status, limit, offset };
    return this.#requests.list(
      ORCHESTRATOR_PATHS.skills(this.#requests.projectId),
      MemorySkillSchema,
      query,
      options,
    );
  }

  /** One of them. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async get(id: string, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    return this.#requests.get(this.#path(id), MemorySkillSchema, options);
  }

  /** Stores one. It is sent once: an unclear outcome is not repeated. */
  async create(skill: SkillInput, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    const body = compileSkill(checkOptions(SkillInputSchema, skill, 'skills.create'));
    const target = ORCHESTRATOR_PATHS.skills(this.#requests.projectId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemorySkillSchema }, options);
  }

  /** Changes the fields that are given. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async update(id: string, changes: SkillChanges, options: MemoryRequestOptions = {}): Promise<MemorySkill> {
    const body = compileSkill(checkOptions(SkillChangesSchema, changes, 'skills.update'));
    return this.#requests.send(
      { method: 'PATCH', target: this.#path(id), body, schema: MemorySkillSchema },
      options,
    );
  }

  /** Removes one. @throws MaivnHTTPError `MEMORY_NOT_FOUND` */
  async delete(id: string, options: MemoryRequestOptions = {}): Promise<void> {
    await this.#requests.remove(this.#path(id), options);
  }

  #path(id: string): string {
    return this.#requests.pathOf(ORCHESTRATOR_PATHS.skill, id);
  }
}
