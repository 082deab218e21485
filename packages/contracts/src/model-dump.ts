import type { AppEvent, AppEventSchema } from './app-event.js';
import { APP_EVENT_CONTRACT_VERSION } from './version.js';

type NamedField = keyof typeof AppEventSchema.shape;
type Dumped<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** An event with every named field of the contract present, `null` where the event has none, and its extras. */
export type AppEventDump = { [Field in NamedField]-?: Dumped<AppEvent[Field]> } & {
  [extra: string]: unknown;
};

/** The full serialization of an event: the named fields in the order of the contract, then the extras. Descriptors are shared, not copied. */
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
