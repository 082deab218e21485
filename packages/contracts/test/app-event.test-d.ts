import { expectTypeOf } from 'vitest';
import type * as z from 'zod';
import {
  modelDump,
  parseAppEvent,
  type AppEvent,
  type AppEventSchema,
  type EventEnvelope,
  type HookDescriptor,
  type RawSSEEvent,
  type ToolDescriptor,
} from '../src/v1.js';

expectTypeOf<AppEvent['contract_version']>().toEqualTypeOf<string>();
expectTypeOf<AppEvent['event_name']>().toEqualTypeOf<string>();
expectTypeOf<AppEvent['event_kind']>().toEqualTypeOf<string | null | undefined>();
expectTypeOf<AppEvent['tool']>().toEqualTypeOf<ToolDescriptor | null | undefined>();
expectTypeOf<AppEvent['tool_name']>().toEqualTypeOf<unknown>();
expectTypeOf<HookDescriptor['elapsed_ms']>().toEqualTypeOf<number | null | undefined>();
expectTypeOf<ToolDescriptor['elapsed_ms']>().toEqualTypeOf<number | null | undefined>();
expectTypeOf<NonNullable<ToolDescriptor['progress']>['progress']>().toEqualTypeOf<number>();
expectTypeOf<NonNullable<ToolDescriptor['progress']>['total']>().toEqualTypeOf<number | undefined>();

// Tolerant parsing does not loosen what a producer may write.
const good: z.input<typeof AppEventSchema> = { event_name: 'tool_event', tool: { id: 't', x_new: 1 } };
// @ts-expect-error an id is a string
const odd: z.input<typeof AppEventSchema> = { event_name: 'tool_event', tool: { id: 7 } };
// @ts-expect-error the name is required
const nameless: z.input<typeof AppEventSchema> = { contract_version: 'v1' };
void [good, odd, nameless];

const dump = modelDump({ contract_version: 'v1', event_name: 'final' });
expectTypeOf(dump.event_name).toEqualTypeOf<string>();
expectTypeOf(dump.tool).toEqualTypeOf<ToolDescriptor | null>();
expectTypeOf(dump['tool_name']).toEqualTypeOf<unknown>();
const again: AppEvent = dump;
void again;

const parsed = parseAppEvent({});
if (parsed.kind === 'event') expectTypeOf(parsed.event).toEqualTypeOf<AppEvent>();
if (parsed.kind === 'unknown_version') expectTypeOf(parsed.contractVersion).toEqualTypeOf<string>();
if (parsed.kind === 'malformed') expectTypeOf(parsed.error).toEqualTypeOf<z.ZodError>();

expectTypeOf<RawSSEEvent['payload']>().toEqualTypeOf<unknown>();
expectTypeOf<EventEnvelope['data']>().toEqualTypeOf<Record<string, unknown>>();
