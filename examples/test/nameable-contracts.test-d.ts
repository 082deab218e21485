// A strict package manager hides @svc/contracts from a user's library, so each package exports the types that it returns.
import type { ActionCard, InterruptCard, RunState, ScopeCard, Turn } from '@svc/client';
import type * as client from '@svc/client';
import type * as react from '@svc/client/react';
import type * as events from '@svc/events';
import type { EventLog, sqliteEventLog } from '@svc/events/sqlite';
import type * as orchestrator from '@svc/orchestrator';
import type { RunStore, sqliteRunStore } from '@svc/orchestrator/sqlite';
import type * as redis from '@svc/redis';
import { expectTypeOf } from 'vitest';

expectTypeOf<client.ToolDescriptor | null>().toEqualTypeOf<ActionCard['tool']>();
expectTypeOf<client.AssignmentDescriptor | null>().toEqualTypeOf<ActionCard['assignment']>();
expectTypeOf<client.ChunkDescriptor>().toEqualTypeOf<ActionCard['chunks'][number]>();
expectTypeOf<client.HookDescriptor>().toEqualTypeOf<ActionCard['hooks'][number]>();
expectTypeOf<client.ScopeDescriptor>().toEqualTypeOf<ActionCard['scope']>();
expectTypeOf<client.ParticipantDescriptor>().toEqualTypeOf<ActionCard['participant']>();
expectTypeOf<client.EnrichmentDescriptor>().toEqualTypeOf<ScopeCard['enrichments'][number]>();
expectTypeOf<client.InterruptDescriptor>().toEqualTypeOf<InterruptCard['interrupt']>();
expectTypeOf<client.SessionDescriptor | undefined>().toEqualTypeOf<Turn['session']>();
expectTypeOf<client.OutputDescriptor | undefined>().toEqualTypeOf<Turn['output']>();
expectTypeOf<client.ErrorInfoDescriptor | undefined>().toEqualTypeOf<Turn['error_info']>();
expectTypeOf<client.EventEnvelope>().toEqualTypeOf<RunState['other_events'][number]>();

expectTypeOf<events.EventEnvelope[]>().toEqualTypeOf<Awaited<ReturnType<events.EventBridge['history']>>>();
expectTypeOf<orchestrator.RunStore>().toEqualTypeOf<RunStore>();
expectTypeOf<ReturnType<typeof sqliteRunStore>>().toExtend<RunStore>();

expectTypeOf<react.RunSnapshot>().toEqualTypeOf<ReturnType<typeof react.useRun>>();
expectTypeOf<react.OutputDescriptor | undefined>().toEqualTypeOf<Turn['output']>();
expectTypeOf<ReturnType<typeof sqliteEventLog>>().toExtend<EventLog>();
expectTypeOf<ReturnType<typeof redis.redisEventLog>>().toExtend<redis.EventLog>();
expectTypeOf<ReturnType<typeof redis.redisRunStore>>().toExtend<redis.RunStore>();
