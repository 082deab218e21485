import { readFileSync } from 'node:fs';
import type { ScriptedOrchestrator, Script } from '../../src/testing/scripted-orchestrator.js';

/** A recorded or sent body; the comparison checks its shape. */
export type Body = ReturnType<typeof JSON.parse>;

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body_json: Body;
}

/** A recording of the original SDK with a scripted orchestrator. */
export interface RecordedWire {
  readonly input: { server_sent_events: { session: string; event: string; data: Body }[] };
  readonly expected: { requests: RecordedRequest[]; outcome: { returned?: Body; raised?: Body } };
}

/** Reads a recording, which is stored with the tests of the orchestrator. */
export function readWire(name: string): RecordedWire {
  const file = new URL(`../../../orchestrator/test/vectors/wire-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Sends the recorded events in the session of the same number; awaits the result of a call before the next event. */
export function replayWire(wire: RecordedWire): Script {
  const names = toolNames(wire);
  return async (session) => {
    const place = session.sessionId.replace('session-', 'sess-');
    for (const { session: of, event, data } of wire.input.server_sent_events) {
      if (of !== place) continue;
      const sent = withOurIds(data, names, session.state.tools);
      session.send(event, event === 'final' ? { ...sent, session_id: session.sessionId } : sent);
      if (event === 'tool_event') await session.posted(data.id);
    }
    session.hangUp();
  };
}

/** What the original sent: its start requests, and the value it posted for each tool event. */
export function recordedRequests({ expected }: RecordedWire) {
  return splitRequests(expected.requests.map(({ path, body_json: body }) => ({ path, body })));
}

/** The same for the requests that svc sent. */
export function sentRequests({ requests }: ScriptedOrchestrator) {
  return splitRequests(requests.map(({ path, body }) => ({ path, body })));
}

function splitRequests(requests: { path: string; body: Body }[]) {
  const posts = requests.filter(({ path }) => path.endsWith('/resume'));
  return {
    starts: requests.filter(({ path }) => path === '/start-session').map(({ body }) => body),
    posts: Object.fromEntries(
      posts.map(({ body: { value } }) => [value.tool_event_id, { ...value, tool_event_id: undefined }]),
    ),
  };
}

/** Tool names by the ids of the original, which contain names of Python modules. */
function toolNames(wire: RecordedWire): Map<string, string> {
  const tools = recordedRequests(wire).starts.flatMap(({ state }) => state.tools);
  return new Map(tools.map(({ tool_id, name }: Body) => [tool_id, name]));
}

function withOurIds(data: Body, names: Map<string, string>, tools: readonly Body[]): Body {
  return JSON.parse(JSON.stringify(data), (key, value) => {
    if (key !== 'tool_id' || !names.has(value)) return value;
    const name = names.get(value);
    return tools.find((tool) => tool.name === name)?.tool_id ?? name;
  });
}
