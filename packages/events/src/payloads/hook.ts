import { APP_EVENT_CONTRACT_VERSION, HOOK_FIRED_EVENT_NAME } from '@svc/contracts';

/** The fields of a `hook_fired` event. */
export interface HookFiredArguments {
  /** The name of the callable. */
  name: string;
  /** `before` or `after`. */
  stage: string;
  /** `completed` or `failed`. */
  status: string;
  /** `tool`, `agent` or `swarm`. */
  targetType: string;
  /** The tool event id, agent id or swarm name. @default null */
  targetId?: string | null | undefined;
  /** The display name of the target. @default null */
  targetName?: string | null | undefined;
  /** Where the hook was registered: `tool`, `scope` or `swarm`. @default null */
  source?: string | null | undefined;
  /** Why the hook failed. @default null */
  error?: string | null | undefined;
  /** How long the callable ran, in whole milliseconds. @default null */
  elapsedMs?: number | null | undefined;
}

/** Builds the payload of a `hook_fired`: flat fields, repeated in the `hook` descriptor. */
export function buildHookFiredPayload(event: HookFiredArguments) {
  const fired = () => ({
    name: event.name,
    stage: event.stage,
    status: event.status,
    target_type: event.targetType,
    target_id: event.targetId ?? null,
    target_name: event.targetName ?? null,
    source: event.source ?? null,
    error: event.error ?? null,
    elapsed_ms: event.elapsedMs ?? null,
  });
  return {
    ...fired(),
    hook: fired(),
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: HOOK_FIRED_EVENT_NAME,
    event_kind: 'hook' as const,
  };
}
