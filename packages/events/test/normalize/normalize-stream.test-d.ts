import type { AppEvent, RawSSEEvent } from '@svc/contracts';
import { expectTypeOf } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { NormalizedStreamState } from '../../src/normalize/state.js';

declare const list: RawSSEEvent[];
declare const overTime: AsyncIterable<{ name: string; payload: { response: string } }>;

expectTypeOf(normalizeStream(list)).toEqualTypeOf<Generator<AppEvent, void, undefined>>();
expectTypeOf(normalizeStream(overTime)).toEqualTypeOf<AsyncGenerator<AppEvent, void, undefined>>();
expectTypeOf(normalizeStreamEvent({ name: 'final' }, { state: new NormalizedStreamState() })).toEqualTypeOf<
  AppEvent[]
>();
normalizeStream(list, { defaultAgentName: null, toolMetadataMap: { t: { tool_type: 'mcp', note: 'mine' } } });

// @ts-expect-error a single event is not a stream
normalizeStream({ name: 'final' });
// @ts-expect-error a stream of strings is not a stream of events
normalizeStream(['final']);
// @ts-expect-error options are spelled in camelCase
normalizeStream(list, { default_agent_name: 'A' });
