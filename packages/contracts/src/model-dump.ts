import type { AppEvent, AppEventSchema } from './app-event.js';
import { APP_EVENT_CONTRACT_VERSION } from './version.js';

type NamedField = keyof typeof AppEventSchema.shape;
type Dumped<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** An event with every named field of the contract, `null` where absent, and its extra fields. */
export type AppEventDump = { [Field in NamedField]-?: Dumped<AppEvent[Field]> } & {
  [extra: string]: unknown;
};

/** Returns the full serialization of an event: named fields in contract order, then extras. Descriptors are not copied. */
export function modelDump(event: AppEvent): AppEventDump {
  const { contract_version, event_name, event_kind, scope, participant, lifecycle, ...afterLifecycle } =
    event;
  const { tool, assistant, assignment, enrichment, interrupt, ...afterInterrupt } = afterLifecycle;
  const { output, error_info, session, chunk, hook, ...extras } = afterInterrupt;
  return {
    contract_version: contract_version ?? APP_EVENT_CONTRACT_VERSION,
    event_name,
    event_kind: event_kind ?? null,
    scope: scope ?? null,
    participant: participant ?? null,
    lifecycle: lifecycle ?? null,
    tool: tool ?? null,
    assistant: assistant ?? null,
    assignment: assignment ?? null,
    enrichment: enrichment ?? null,
    interrupt: interrupt ?? null,
    output: output ?? null,
    error_info: error_info ?? null,
    session: session ?? null,
    chunk: chunk ?? null,
    hook: hook ?? null,
    ...extras,
  };
}
