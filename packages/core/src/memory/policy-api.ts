import {
  MemoryPolicySchema,
  MemoryPurgeResponseSchema,
  ORCHESTRATOR_PATHS,
  type MemoryPolicy,
  type MemoryPurgeResponse,
} from '@svc/contracts/orchestrator';
import { invalidOption, refuseUnknownOptions } from '../config/options.js';
import type { MemoryRequestOptions, MemoryRequests } from './memory-requests.js';

/** What can be changed of a policy; `null` takes a limit away. */
export interface MemoryPolicyChanges {
  /** Whether runs use memory at all. */
  enabled?: boolean | undefined;
  /** The most that runs may store. */
  persistenceCeiling?: MemoryPolicy['persistence_ceiling'] | undefined;
  /** How long what runs remembered by themselves is kept, in days; what people put there stays. */
  vectorRetentionDays?: number | null | undefined;
  /** The same for what records are about. */
  graphRetentionDays?: number | null | undefined;
}

const KNOWN = [
  'enabled',
  'persistenceCeiling',
  'vectorRetentionDays',
  'graphRetentionDays',
] satisfies (keyof MemoryPolicyChanges)[];

/** What is to be forgotten for good. */
export interface PurgeOptions extends MemoryRequestOptions {
  /** Says that it is meant: `PURGE_MEMORY`. */
  confirm: 'PURGE_MEMORY';
  /** Only this project's. @default as far as the key reaches: its own project, with `@svc/orchestrator` */
  projectId?: string | undefined;
  /** Only this session's. */
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

  /** The policy as it is. */
  async get(options: MemoryRequestOptions = {}): Promise<MemoryPolicy> {
    return this.#requests.get(
      ORCHESTRATOR_PATHS.memoryPolicy(this.#organizationId),
      MemoryPolicySchema,
      options,
    );
  }

  /** Changes the fields that are given; needs the operation `administration`. */
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

  /** Forgets everything, or everything of a project or a session. It cannot be undone. */
  async purge(given: PurgeOptions): Promise<MemoryPurgeResponse> {
    refuseUnknownOptions(given, ['confirm', 'projectId', 'sessionId', 'signal'], 'policy.purge');
    const { confirm, projectId, sessionId, ...options } = given;
    if (confirm !== 'PURGE_MEMORY')
      throw invalidOption('A purge', "needs confirm: 'PURGE_MEMORY'; it cannot be undone", ['confirm']);
    const body = { confirm_token: confirm, project_id: projectId, session_id: sessionId };
    const target = ORCHESTRATOR_PATHS.memoryPurge(this.#organizationId);
    return this.#requests.send({ method: 'POST', target, body, schema: MemoryPurgeResponseSchema }, options);
  }
}
