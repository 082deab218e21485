import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent } from '../../src/decorators/depends-on.js';
import { dependsOnAwaitFor, dependsOnReevaluate } from '../../src/decorators/order.js';
import { AIMessage, HumanMessage, SystemMessage } from '../../src/messages/message.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';
import { billingAgent } from './recorded-runs.ts';
import { readWire, recordedRequests, type Body } from './recorded-wire.ts';

/** The start requests that the original sent. */
const recorded = (name: string): Body[] => recordedRequests(readWire(name)).starts;

/** The start requests that we send for the same calls. */
async function sent(
  run: (client: Agent['client']) => Promise<unknown>,
  script = defaultScript,
): Promise<Body[]> {
  await using orchestrator = await startScriptedOrchestrator(script);
  await run(orchestrator.client({ timezone: 'Europe/Berlin' }));
  return orchestrator.requests.filter(({ path }) => path === '/start-session').map(({ body }) => body);
}

const defaultScript: Parameters<typeof startScriptedOrchestrator>[0] = (session) => session.finish();

describe('a start request equals that of the original', () => {
  it('for messages', async () => {
    const [original] = recorded('messages-kinds');
    const [ours] = await sent(async (client) =>
      new Agent({ name: 'x', client }).invoke([
        new SystemMessage('Extra system'),
        new AIMessage('Earlier answer'),
        new HumanMessage([{ type: 'text', text: 'parts' }], { name: 'bob', id: 'm-1' }),
        new HumanMessage('with file', {
          attachments: [
            { name: 'a.txt', mimeType: 'text/plain', base64: 'aGVsbG8=', description: 'd', tags: ['x'] },
            { name: 'b.bin', mimeType: 'application/x-b', base64: 'aGk=' },
          ],
        }),
      ]),
    );
    expect(ours.state.messages).toEqual(original.state.messages);
  });

  it('for all options', async () => {
    const [original] = recorded('agent-stream-all-options');
    const [ours] = await sent(async (client) => {
      return billingAgent(client).stream('Bill customer 42 for 10 EUR', {
        metadata: { ticket: 'T-1', nested: { a: [1, null] } },
        memoryConfig: { enabled: true, level: 'focus' },
        systemToolsConfig: {
          allowedTools: ['web_search', 'compose_artifact'],
          approvedComposeTargets: ['write_report.report'],
        },
        orchestrationConfig: {
          mode: 'supervisor_loop',
          finalOutputMode: 'supervised',
          allowFollowupActions: true,
          stopStrategy: 'objective_satisfied',
          allowReevaluateLoop: true,
          maxCycles: 6,
        },
        model: 'fast',
        reasoning: 'low',
        statusMessages: true,
        threadId: 'thread-7',
      }).response;
    });
    const { private_data: _values, tools: originalTools, ...originalState } = original.state;
    const { private_data_schema: names, tools, ...state } = ours.state;
    expect(ours.thread_id).toBe(original.thread_id);
    expect(names).toEqual([{ data_key: 'billing_token' }, { data_key: 'region' }]);
    // System tools cannot be given private values, which stay here. The deployment time zone is that of this process.
    const { allow_private_data: _allowed, ...systemTools } = originalState.system_tools_config;
    const { sdk_deployment_timezone: _zone, ...execution } = originalState.execution_config;
    expect(state).toEqual({
      ...originalState,
      system_tools_config: systemTools,
      execution_config: { ...execution, sdk_deployment_timezone: expect.any(String) },
    });
    const comparableTool = ({
      name,
      description,
      tags,
      tool_type: type,
      args_schema: schema,
      metadata,
    }: Body) => ({
      name,
      description,
      tags,
      type,
      metadata,
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, value]: [string, Body]) => [
          key,
          value.type.endsWith?.('_dependency') ? [value.type, value.tool_name, value.data_key] : value,
        ]),
      ),
      required: schema.required.toSorted(),
    });
    expect(tools.map(comparableTool)).toEqual(originalTools.map(comparableTool));
  });

  it('for execution controls, except that compose targets are not approved automatically', async () => {
    const [original] = recorded('execution-controls');
    const [ours] = await sent(async (client) => {
      const agent = new Agent({ name: 'x', client });
      const fetchRecords = agent.toolify({ name: 'fetch_records', description: 'Fetch.' }, () => []);
      agent.toolify(
        {
          name: 'write_audit',
          description: 'Write audit.',
          alwaysExecute: true,
          order: [dependsOnAwaitFor(fetchRecords, { instanceControl: 'all' })],
        },
        () => ({}),
      );
      agent.toolify(
        {
          name: 'write_report',
          description: 'Write report.',
          input: z.object({ report: z.string() }),
          composePolicies: { report: { mode: 'require', approval: 'explicit' } },
          order: [dependsOnReevaluate(fetchRecords, { timing: 'before' })],
        },
        () => ({}),
      );
      return agent.invoke('x');
    });
    const metadata = (body: Body) =>
      body.state.tools.map(
        ({
          name,
          always_execute: always,
          metadata: { execution_controls: controls, arg_policies },
        }: Body) => ({
          name,
          always,
          arg_policies,
          controls: JSON.parse(
            JSON.stringify(controls ?? {}, (key, value) => (key === 'tool_id' ? undefined : value)),
          ),
        }),
      );
    expect(metadata(ours)).toEqual(metadata(original));
    expect(original.state.system_tools_config.approved_compose_artifact_targets).toEqual([
      'write_report.report',
    ]);
    expect(ours.state.system_tools_config).not.toHaveProperty('approved_compose_artifact_targets');
    expect(ours.state.tools[2].metadata.producer_references).toEqual([
      { argument_path: 'report', producer_tool_name: 'compose', reference_kind: 'compose_argument' },
    ]);
  });

  it('for a swarm and its members', async () => {
    const originals = recorded('swarm-member-dependency');
    const ours = await sent(
      async (client) => {
        const researcher = new Agent({
          name: 'Researcher',
          description: 'Finds facts',
          client,
          includedNestedSynthesis: originals[0].state.swarm_config.agent_roster[0].included_nested_synthesis,
        });
        const writer = new Agent({ name: 'Writer', description: 'Writes', client });
        const swarm = new Swarm({ name: originals[0].state.swarm_config.swarm_name });
        swarm.addAgent(researcher).addAgent(writer, { inject: { research: dependsOnAgent(researcher) } });
        return swarm.invoke('Bill customer 42 for 10 EUR');
      },
      async (session) => {
        if (session.state.swarm_config?.invoked_agent_name) return session.finish();
        await session.callTool('Researcher', { prompt: 'Find facts about t' });
        session.finish();
      },
    );
    const root = (body: Body) => {
      const { swarm_config: config } = body.state;
      return {
        id: config.swarm_id,
        map: config.agent_invocation_tool_map,
        roster: config.agent_roster.map(
          ({ agent_id, name, invocation_tool_id, invokes_via_dependency }: Body) => ({
            agent_id,
            name,
            invocation_tool_id,
            invokes_via_dependency,
          }),
        ),
        tools: body.state.tools.map(({ tool_id, name, tags, metadata: { target_agent_id } }: Body) => ({
          tool_id,
          name,
          tags,
          target_agent_id,
        })),
      };
    };
    expect(root(ours[0])).toEqual(root(originals[0]));
    const nested = (body: Body) => {
      const { included_nested_synthesis: _mode, ...config } = body.state.swarm_config;
      return { ...config, messages: body.state.messages.slice(-1) };
    };
    const { parent_session_id: parent, parent_tool_event_id: event, ...config } = nested(ours[1]);
    expect(config).toEqual(nested(originals[1]));
    expect([parent, event]).toEqual(['session-1', 'session-1-call-1']);
  });
});
