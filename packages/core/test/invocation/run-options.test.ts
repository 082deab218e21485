import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { mergeMemoryConfig } from '../../src/invocation/memory-config.js';
import type { RunOptions, SharedRunOptions } from '../../src/invocation/run-options.js';
import { startAgent } from '../agent-setup.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { Client } from '../../src/client/client.js';

/** What is sent to start a run. */
async function startRequest(
  scope: SharedRunOptions = {},
  call: RunOptions = {},
  mode: 'invoke' | 'stream' = 'invoke',
) {
  await using setup = await startAgent((session) => session.finish(), scope);
  const { agent } = setup;
  agent.toolify({ name: 'final', description: 'f', finalTool: true }, () => 1);
  if (mode === 'invoke') await agent.invoke('x', call);
  else await agent.stream('x', call).response;
  const [body] = setup.bodies('/start-session');
  return Object(body);
}

describe('what a run is started with', () => {
  it('has defaults', async () => {
    const body = await startRequest();
    expect(body).toEqual({
      client_id: expect.stringMatching(/^sdk-[0-9a-f-]{36}$/),
      state: {
        messages: [{ type: 'human', content: 'x', additional_kwargs: {}, response_metadata: {} }],
        tools: [expect.objectContaining({ name: 'final', final_tool: true })],
        metadata: {},
        execution_config: {
          agent_id: expect.any(String),
          timeout: 900,
          sdk_delivery_mode: 'invoke',
          client_timezone: expect.any(String),
          sdk_deployment_timezone: expect.any(String),
        },
        system_tools_config: { allow_private_data_placeholders: true },
        force_final_tool: false,
        stream_response: true,
        status_messages: false,
      },
    });
  });

  it.each<[string, SharedRunOptions, RunOptions, object]>([
    ['a tier', { model: 'fast' }, {}, { model: 'fast' }],
    ['an exact model', {}, { model: 'vendor/x-1' }, { force_model: 'vendor/x-1' }],
    [
      'the call’s reasoning over the scope’s',
      { reasoning: 'low' },
      { reasoning: 'high' },
      { reasoning: 'high' },
    ],
    ['a forced final tool', { forceFinalTool: true }, {}, { force_final_tool: true }],
    ['a call that says no', { forceFinalTool: true }, { forceFinalTool: false }, { force_final_tool: false }],
    [
      'a call that says nothing',
      { forceFinalTool: true },
      { forceFinalTool: undefined } as RunOptions,
      { force_final_tool: true },
    ],
    [
      'the call’s system tools over the scope’s, field by field',
      { systemToolsConfig: { approvedComposeTargets: true, allowedTools: ['think'] } },
      { systemToolsConfig: { allowedTools: ['repl'] } },
      {
        system_tools_config: {
          allowed_tools: ['repl'],
          approved_compose_artifact_targets: true,
          allow_private_data_placeholders: true,
        },
      },
    ],
    [
      'compose targets',
      {},
      { systemToolsConfig: { approvedComposeTargets: ['report.text'] } },
      {
        system_tools_config: {
          approved_compose_artifact_targets: ['report.text'],
          allow_private_data_placeholders: true,
        },
      },
    ],
    [
      'how it is planned, field by field',
      { orchestrationConfig: { mode: 'hybrid', maxCycles: 6 } },
      {
        orchestrationConfig: {
          maxCycles: 3,
          stopStrategy: 'objective_satisfied',
          finalOutputMode: 'supervised',
          allowFollowupActions: true,
          allowReevaluateLoop: false,
        },
      },
      {
        orchestration_config: {
          mode: 'hybrid',
          max_cycles: 3,
          stop_strategy: 'objective_satisfied',
          final_output_mode: 'supervised',
          allow_followup_actions: true,
          allow_reevaluate_loop: false,
        },
      },
    ],
    [
      'memory, section by section',
      { memoryConfig: { enabled: true, level: 'focus', retrieval: { topK: 5, candidateLimit: 20 } } },
      { memoryConfig: { retrieval: { topK: 8 }, insightExtraction: { minRelevanceScore: 0.5 } } },
      {
        memory_config: {
          enabled: true,
          level: 'focus',
          retrieval: { top_k: 8, candidate_limit: 20 },
          insight_extraction: { min_relevance_score: 0.5 },
        },
      },
    ],
    [
      'memory assets',
      { memoryAssetsConfig: { definedSkills: [{ name: 's' }] } },
      { memoryAssetsConfig: { recallTurnActive: true } },
      { memory_assets_config: { defined_skills: [{ name: 's' }], recall_turn_active: true } },
    ],
    ['labels of both', { metadata: { a: 1, b: 1 } }, { metadata: { b: 2 } }, { metadata: { a: 1, b: 2 } }],
    ['no pieces of text', {}, { streamResponse: false }, { stream_response: false }],
    ['status lines', {}, { statusMessages: true }, { status_messages: true }],
  ])('%s', async (_name, scope, call, state) => {
    expect((await startRequest(scope, call)).state).toMatchObject(state);
  });

  it('says how it is delivered, in which conversation, and how long it may take', async () => {
    const body = await startRequest({ timeoutMs: 60_000 }, { threadId: 't-7', timeoutMs: 1500 }, 'stream');
    expect(body).toMatchObject({
      thread_id: 't-7',
      state: { execution_config: { sdk_delivery_mode: 'stream', timeout: 2 } },
    });
  });

  it('has the client’s conversation and zone unless the call names others', async () => {
    const config = { apiKey: 'k', threadId: 't-client', timezone: 'Asia/Tokyo' };
    await using setup = await startAgent((session) => session.finish());
    const client = new Client(new ClientConfig({ ...config, baseUrl: setup.orchestrator.url }));
    const agent = new Agent({ name: 'a', client });
    await agent.invoke('x');
    await agent.invoke('x', { threadId: 't-call' });
    expect(setup.bodies('/start-session')).toMatchObject([
      { thread_id: 't-client', state: { execution_config: { client_timezone: 'Asia/Tokyo' } } },
      { thread_id: 't-call' },
    ]);
    await client.close();
  });
});

describe('options that cannot be', () => {
  it.each<[string, object, string]>([
    ['an unknown one', { treadId: 'x' }, 'CONFIG_INVALID_OPTION'],
    ['an unknown one inside', { orchestrationConfig: { mod: 'hybrid' } }, 'CONFIG_INVALID_OPTION'],
    ['an unknown mode', { orchestrationConfig: { mode: 'loop' } }, 'CONFIG_INVALID_OPTION'],
    ['no cycles', { orchestrationConfig: { maxCycles: 0 } }, 'CONFIG_INVALID_OPTION'],
    ['a blank model', { model: ' ' }, 'CONFIG_INVALID_OPTION'],
    ['a time of nothing', { timeoutMs: 0 }, 'CONFIG_INVALID_OPTION'],
    [
      'more wanted than looked at',
      { memoryConfig: { retrieval: { topK: 30, candidateLimit: 20 } } },
      'CONFIG_INVALID_OPTION',
    ],
    [
      'more than all',
      { memoryConfig: { retrieval: { insightRelevanceFloor: 1.1 } } },
      'CONFIG_INVALID_OPTION',
    ],
    ['labels that JSON cannot carry', { metadata: { size: 1n } }, 'CONFIG_INVALID_OPTION'],
    ['a service that cannot ask', { interruptService: {} }, 'CONFIG_INVALID_OPTION'],
    ['a whitelist that is none', { piiWhitelist: {} }, 'CONFIG_INVALID_OPTION'],
    ['a label of memory', { metadata: { memory_x: 1 } }, 'CONFIG_RESERVED_METADATA'],
    ['reserved labels', { metadata: { memory_x: 1, swarm_id: 2, mine: 3 } }, 'CONFIG_RESERVED_METADATA'],
  ])('%s', async (_name, call, code) => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', call)).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([
    [{ retrieval: { topk: 3 } }],
    [{ level: 'loud' }],
    [{ retrieval: { topK: 30, candidateLimit: 20 } }],
    [[]],
  ])('of the memory of an agent %j, when it is made', (memoryConfig) => {
    expect(() => new Agent({ name: 'a', apiKey: 'k', memoryConfig } as never)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringMatching(/^Invalid options for the agent 'a':.*memoryConfig/s),
      }),
    );
  });

  it.each<[string, object]>([
    ['must be an object of values by name', { privateData: 5 }],
    ['must be a PIIWhitelist', { piiWhitelist: {} }],
    ['must have an ask() method', { interruptService: {} }],
    ['must be a tool, a decorated method or a name', { targetedTools: [undefined] }],
    ['must be a tool, a decorated method or a name', { targetedTools: [{ id: 'x' }] }],
  ])('say what is expected: it %s', async (said, call) => {
    await using setup = await startAgent((session) => session.finish());
    const code = 'CONFIG_INVALID_OPTION';
    const message = expect.stringContaining(said);
    await expect(setup.agent.invoke('x', call)).rejects.toMatchObject({ code, message });
  });

  it('are told with the run they were given to', async () => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', { treadId: 'x' } as never)).rejects.toThrow(
      /^Invalid options for a run of the agent 'billing':.*"treadId"/s,
    );
  });

  it.each([[''], [[]], [[1]], [null], [{}]])('messages of %j', async (messages) => {
    await using setup = await startAgent((session) => session.finish());
    const call = setup.agent.invoke(messages as never);
    if (messages === '') await expect(call).resolves.toMatchObject({ status: 'completed' });
    else await expect(call).rejects.toMatchObject({ code: 'CONFIG_INVALID_MESSAGES' });
  });
});

describe('memory configs are merged at every depth', () => {
  it('so that one nested field keeps the others', () => {
    const scope = { level: 'focus', retrieval: { topK: 5, candidateLimit: 20 } } as const;
    expect(mergeMemoryConfig(scope, { retrieval: { topK: 8 } })).toEqual({
      level: 'focus',
      retrieval: { topK: 8, candidateLimit: 20 },
    });
    expect(() => mergeMemoryConfig(scope, { retrieval: { topK: 30 } })).toThrow(
      /topK must not be greater than/,
    );
    expect(mergeMemoryConfig(scope, { retrieval: { topK: 20 } })?.retrieval?.topK).toBe(20);
    expect(mergeMemoryConfig(undefined, undefined)).toBeUndefined();
  });

  it.each(['skillExtraction', 'insightExtraction'] as const)('so that %s does, too', (section) => {
    const merged = mergeMemoryConfig({ [section]: { maxCount: 2 } }, { [section]: { enabled: true } });
    expect(merged).toEqual({ [section]: { maxCount: 2, enabled: true } });
  });
});
