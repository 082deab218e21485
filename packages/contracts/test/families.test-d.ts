import { expectTypeOf } from 'vitest';
import type { KnownFamilyName } from '../src/event-names/groups.js';
import type { FamilyPayload, ToolEventPayload, StreamGapPayload } from '../src/v1.js';

expectTypeOf<FamilyPayload<'tool_event'>>().toEqualTypeOf<ToolEventPayload>();
expectTypeOf<ToolEventPayload['tool_id']>().toEqualTypeOf<string>();
expectTypeOf<ToolEventPayload['tool']['id']>().toEqualTypeOf<string | null | undefined>();
expectTypeOf<ToolEventPayload['args']>().toEqualTypeOf<Record<string, unknown> | undefined>();
expectTypeOf<ToolEventPayload['result']>().toEqualTypeOf<unknown>();
expectTypeOf<ToolEventPayload['a_newer_field']>().toEqualTypeOf<unknown>();
expectTypeOf<StreamGapPayload['reason']>().toEqualTypeOf<'evicted' | 'epoch' | 'unknown' | 'dropped'>();

// The event name discriminates the known families.
type KnownPayload = { [Name in KnownFamilyName]: FamilyPayload<Name> }[KnownFamilyName];
const payload = {} as KnownPayload;
if (payload.event_name === 'final')
  expectTypeOf(payload.output.response).toEqualTypeOf<string | null | undefined>();
if (payload.event_name === 'status_message') {
  expectTypeOf(payload.status.message).toEqualTypeOf<string | null | undefined>();
}
if (payload.event_name === 'agent_assignment') expectTypeOf(payload.status).toEqualTypeOf<string>();

// @ts-expect-error no such event
expectTypeOf<FamilyPayload<'turn_complete'>>();
