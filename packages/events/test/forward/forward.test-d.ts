import type { AppEvent } from '@svc/contracts';
import { expectTypeOf } from 'vitest';
import { forwardNormalizedEvent, forwardNormalizedStream } from '../../src/forward/forward.js';
import type { Reporter } from '../../src/forward/reporter.js';
import type { NormalizedEventForwardingState } from '../../src/forward/state.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { buildFinalPayload } from '../../src/payloads/turn.js';

declare const events: AppEvent[];
declare const overTime: AsyncIterable<AppEvent>;

expectTypeOf(forwardNormalizedStream(events)).toEqualTypeOf<Promise<NormalizedEventForwardingState>>();
expectTypeOf(forwardNormalizedStream(overTime)).toEqualTypeOf<Promise<NormalizedEventForwardingState>>();
expectTypeOf(forwardNormalizedEvent(buildFinalPayload({ response: 'x' }))).toEqualTypeOf<
  Promise<NormalizedEventForwardingState>
>();
void forwardNormalizedStream(normalizeStream([{ name: 'final', payload: {} }]), {
  reporter: { reportToolStart: ({ toolName }) => void expectTypeOf(toolName).toEqualTypeOf<string>() },
});

const quiet: Reporter = {};
// @ts-expect-error methods of a reporter are camelCase
const misspelled: Reporter = { report_tool_start: () => {} };
void [quiet, misspelled];
