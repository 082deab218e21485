import {
  MemoryPolicySchema,
  MemoryPurgeResponseSchema,
  ORCHESTRATOR_PATHS,
  type MemoryPolicy,
  type MemoryPurgeResponse,
} from '@svc/contracts/orchestrator';
import { invalidOption, refuseUnknownOptions } from '../config/options.js';
import type { MemoryRequestOptions, MemoryRequests } from './memory-requests.js';

/** Changes of a memory policy; `null` removes a limit. */
export interface MemoryPolicyChanges {
  /** Whether runs may use memory. */
  enabled?: boolean | undefined;
  /** The highest persistence mode that runs may use. */
  persistenceCeiling?: MemoryPolicy['persistence_ceiling'] | undefined;
  /** How long records stored by runs are kept, in days; records stored by people are kept. */
  vectorRetentionDays?: number | null | undefined;
  /** How long the graph of what records are about is kept, in days. */
  graphRetentionDays?: number | null | undefined;
}

const KNOWN = [
  'enabled',
  'persistenceCeiling',
  'vectorRetentionDays',
  'graphRetentionDays',
] satisfies (keyof MemoryPolicyChanges)[];

/** Options of `purge`. */
export interface PurgeOptions extends MemoryRequestOptions {
  /** The confirmation: `PURGE_MEMORY`. */
  confirm: 'PURGE_MEMORY';
  /** Purges only this project. @default everything that the key has access to: its own project, with `@svc/orchestrator` */
  projectId?: string | undefined;
  /** Purges only this session. */
  sessionId?: string | undefined;
}

/** An organization's memory policy. */
export class PolicyApi {
  readonly #requests: MemoryRequests;
  readonly #organizationId: string;

  constructor(requests: MemoryRequests, organizationId: string) {
    this.#requests = requests;
    this.#organizationId = organizationId;
  }

  /** Returns the policy. */
  async get(options: MemoryRequestOptions = {}): Promise<MemoryPolicy> {
    return this.#requests.get(
      ORCHESTRATOR_PATHS.memoryPolicy(this.#organizationId),
      MemoryPolicySchema,
      options,
    );
  }

  /** Changes the given fields; requires the operation `administration`. */
  async update(changes: MemoryPolicyChanges, options: MemoryRequestOptions = {}): Promise<MemoryPolicy> {
    refuseUnknownOptions(changes, KNOWN, 'policy.update');
    const body = {
      enabled: changes.enabled,
      persistence_ceiling: changes.persistenceCeiling,
      vector_retention_days: changes.vectorRetentionDays,
      graph_retention_days: changes.graphRetentionDays,
    };
    const target = ORCHESTRATOR_PATHS.memoryPolicy(this.#organizationId);
    return this.#requests.send({ method: 'PATCH', target, body, schema: MemoryPolicySchema }, options);
  }

  /** Permanently deletes the whole memory, or that of a project or a session. This cannot be undone. */
  async purge(purge: PurgeOptions): Promise<MemoryPurgeResponse> {
    refuseUnknownOptions(purge, ['confirm', 'projectId', 'sessionId', 'signal'], 'policy.purge');
    const { confirm, projectId, sessionId, ...options } = purge;
    if (confirm !== 'PURGE_MEMORY')
      throw invalidOption(
        'policy.purge:',
        "confirm must be 'PURGE_MEMORY', because a purge cannot be undone",
        ['confirm'],
      );
    const body = { confirm_token: confirm, project_id: projectId, session_id: sessionId };
    const target = ORCHESTRATOR_PATHS.memoryPurge(this.#organizationId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryPurgeResponseSchema }, options);
  }
}
