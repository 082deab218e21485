import * as fc from 'fast-check';
import { arbitraryPayload } from '../payloads/arbitrary-payload.ts';

const names = [
  'update',
  'progress_update',
  'tool_event',
  'system_tool_start',
  'system_tool_chunk',
  'system_tool_complete',
  'system_tool_error',
  'model_tool_complete',
  'status_message',
  'enrichment',
  'interrupt_required',
  'session_start',
  'final',
  'error',
  'hook_fired',
  'heartbeat',
  'constructor',
  '__proto__',
];
const id = fc.constantFrom('t-1', 't-2', ' t-1 ', '', 'constructor', 'ns:mod:x', 5, null);
const call = fc.record(
  {
    tool_id: id,
    id,
    name: fc.constantFrom('fetch', 'parse', '', null),
    tool_type: fc.constantFrom('agent', 'MCP', 7),
    args: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant(null)),
  },
  { requiredKeys: [] },
);
const toolEvent = fc.record({
  name: fc.constant('tool_event'),
  payload: fc.record(
    {
      id: fc.constantFrom('e-1', 'e-2', null),
      value: fc.oneof(
        fc.record({ tool_calls: fc.array(fc.oneof(call, fc.jsonValue()), { maxLength: 3 }) }),
        fc.record({ tool_call: call }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  ),
});
const text = fc.constantFrom('H', 'Hel', 'Hello', 'Hello ', 'Hello world', 'Other', '', 5);
const update = fc.record({
  name: fc.constantFrom('update', 'progress_update'),
  payload: fc.record(
    {
      assistant_id: fc.constantFrom('a', 'b', ''),
      streaming_content: text,
      text,
      action_type: fc.constantFrom('swarm_agent', 'tool'),
      action_id: id,
      action_name: fc.string(),
      status: fc.constantFrom('queued', 'done', 'failed', 'x'),
      error: fc.string(),
    },
    { requiredKeys: [] },
  ),
});
const anything = fc.record({
  name: fc.oneof(fc.constantFrom(...names), fc.string()),
  payload: fc.oneof(arbitraryPayload, fc.anything()),
});

/** Raw events as sent by a correct, a careless or a hostile orchestrator. */
export const arbitraryRawEvents = fc.array(fc.oneof(toolEvent, update, anything), { maxLength: 25 });
