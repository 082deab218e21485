import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { startScriptedOrchestrator, type ReplacedAnswer } from '../../src/testing/scripted-orchestrator.js';
import { recordedRuns } from './recorded-runs.ts';
import { readWire, recordedRequests, replayWire, sentRequests, type Body } from './recorded-wire.ts';

const invalidEvent = { status: 'error', error: { code: 'TOOL_INVALID_EVENT', message: expect.any(String) } };

/** Deliberate differences in our start requests; docs/compatibility.md says why. */
const startDeviations: Readonly<Record<string, (starts: Body[]) => Body[]>> = {
  // The names of these two agents are not recorded, and the first one's time zone is the machine's.
  'agent-invoke-api-key-only': (starts) => starts.map(withoutAgent),
  'agent-invoke-verbose-off-no-stream': (starts) => starts.map(withoutAgent),
  // The first member's private data applies only to its own sessions.
  'swarm-invoke-force-final': ([root, ...nested]) => [{ ...root, private: [] }, ...nested],
  'swarm-nested-agent-call': ([root, ...nested]) => [{ ...root, private: [] }, ...nested],
  // An agent that the planner has called is not called again as a dependency.
  'agent-dependency-in-swarm-agent-invoke': (starts) => starts.slice(0, 2),
};

/** Deliberate differences in what we post, by tool event. */
const postDeviations: Readonly<Record<string, Record<string, Body>>> = {
  'agent-invoke-two-tools': {
    // Injected arguments are resolved here: the marker that the server sent instead is ignored.
    'te-2': { result: { charged: 10, currency: 'EUR', tier: 'gold', token_len: 14 } },
    'te-4': {
      result: {
        results: ['1', '2'].map((id) => ({ customer_id: id, tier: 'gold', history: null })),
        statuses: ['ok', 'ok'],
      },
    },
    'te-5': invalidEvent,
    'te-6': invalidEvent,
  },
  'agent-dependency-in-swarm-agent-invoke': { 'te-2': { result: { summary: '{"res' } } },
};

function withoutAgent({ execution_config: config, ...start }: Body): Body {
  const unknown = { agent_id: expect.any(String), client_timezone: expect.any(String) };
  return { ...start, execution_config: { ...config, ...unknown } };
}

/** A declared tool without its ids, which name Python modules, and without descriptions that svc generates. */
function comparableTool({ tool_id: _id, args_schema: schema, ...fields }: Body): Body {
  if (fields.tool_type === 'agent') return { ...fields, description: undefined };
  const properties = Object.entries(schema.properties).map(([name, property]: [string, Body]) => {
    // svc declares the bounds of JavaScript integers.
    const { description: _text, tool_id: _tool, maximum: _max, minimum: _min, ...rest } = property;
    return [name, rest];
  });
  return { ...fields, required: schema.required.toSorted(), properties: Object.fromEntries(properties) };
}

/** The parts of a start request that must be equal; svc sends the names of private values only. */
function comparable({ state, client_id: _id, ...body }: Body): Body {
  const { tools, private_data: values, private_data_schema: names, swarm_config: swarm, ...rest } = state;
  const { sdk_deployment_timezone: _zone, ...execution } = rest.execution_config;
  const { parent_session_id: _session, parent_tool_event_id: _event, ...config } = swarm ?? {};
  const roster = config.agent_roster?.map(
    ({ included_nested_synthesis_guidance: _hint, ...entry }: Body) => entry,
  );
  return {
    ...body,
    ...rest,
    execution_config: execution,
    tools: tools.map(comparableTool),
    private: names?.map((name: Body) => name.data_key) ?? Object.keys(values ?? {}),
    swarm: swarm && { ...config, agent_roster: roster },
  };
}

/** Makes the recorded calls against an orchestrator that sends the recorded events. */
async function replay(
  name: string,
  run: (client: Client) => Promise<unknown>,
  intercept?: (path: string) => ReplacedAnswer | undefined,
) {
  await using orchestrator = await startScriptedOrchestrator(replayWire(readWire(name)), {
    intercept: ({ path }) => intercept?.(path),
  });
  const end = await run(orchestrator.client({ timezone: 'Europe/Berlin' })).catch((error: unknown) => error);
  return { ...sentRequests(orchestrator), end };
}

describe('a recorded session', () => {
  it.each(Object.entries(recordedRuns))(
    '%s sends the same start requests as the original',
    async (name, run) => {
      const { starts } = await replay(name, run);
      const theirs = recordedRequests(readWire(name)).starts.map(comparable);
      expect(starts.map(comparable)).toEqual(startDeviations[name]?.(theirs) ?? theirs);
    },
  );

  it.each(Object.entries(recordedRuns))('%s posts the same results as the original', async (name, run) => {
    const { posts } = await replay(name, run);
    const theirs: Body = { ...recordedRequests(readWire(name)).posts, ...postDeviations[name] };
    const withStatus = Object.entries<Body>(theirs).map(([id, post]) => [id, { status: 'ok', ...post }]);
    expect(posts).toEqual(Object.fromEntries(withStatus));
  });

  it.each(Object.entries(recordedRuns))(
    '%s ends with the same response as the original',
    async (name, run) => {
      const { end } = await replay(name, run);
      const {
        response,
        responses,
        result,
        status,
        token_usage: usage,
      } = readWire(name).expected.outcome.returned;
      expect(end).toEqual({
        response,
        responses,
        result,
        status,
        tokenUsage: usage ?? undefined,
        // svc takes these from the server.
        sessionId: 'session-1',
        metadata: {},
      });
    },
  );

  it.each<[string, object, ((path: string) => ReplacedAnswer | undefined)?]>([
    [
      'error-final-with-error',
      { code: 'RUN_FAILED', response: { status: 'failed', responses: [], result: null } },
    ],
    [
      'error-event-then-close',
      { code: 'RUN_STREAM_ERROR', message: expect.stringContaining('server exploded') },
    ],
    ['error-401', { statusCode: 401, code: 'invalid_key' }, refusingStarts(401, 'invalid_key')],
    ['error-500', { statusCode: 500, code: 'HTTP_500' }, refusingStarts(500)],
    [
      'error-missing-endpoints',
      { code: 'HTTP_INVALID_RESPONSE' },
      (path) => answering(path, { session_id: 's' }),
    ],
  ])('%s sends the same start requests and fails with the expected error', async (name, error, intercept) => {
    const billing = recordedRuns['agent-invoke-two-tools'];
    const { starts, end } = await replay(name, async (client) => billing?.(client), intercept);
    expect(starts.map(comparable)).toEqual(recordedRequests(readWire(name)).starts.map(comparable));
    expect(end).toMatchObject(error);
  });

  it('resume-no-retry-on-400 fails after one post when its result is refused', async () => {
    const name = 'resume-no-retry-on-400';
    let posts = 0;
    const { end } = await replay(
      name,
      async (client) => recordedRuns[name]?.(client),
      (path) => {
        if (!path.endsWith('/resume')) return undefined;
        posts += 1;
        return { status: 400 };
      },
    );
    expect(end).toMatchObject({ statusCode: 400 });
    expect(posts).toBe(1);
  });
});

function refusingStarts(status: number, code?: string) {
  const body = code === undefined ? undefined : { detail: { error: code, message: 'Key rejected' } };
  return (path: string) => (path === '/start-session' ? { status, body } : undefined);
}

function answering(path: string, body: object): ReplacedAnswer | undefined {
  return path === '/start-session' ? { status: 200, body } : undefined;
}
