import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { mergeMemoryConfig } from '../../src/invocation/memory-config.js';
import type { RunOptions, SharedRunOptions } from '../../src/invocation/run-options.js';
import { HumanMessage } from '../../src/messages.js';
import { startAgent } from '../agent-setup.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { Client } from '../../src/client/client.js';

/** The body of the request that starts a run. */
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

describe('the request that starts a run', () => {
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
    ['a model tier', { model: 'fast' }, {}, { model: 'fast' }],
    ['an exact model', {}, { model: 'vendor/x-1' }, { force_model: 'vendor/x-1' }],
    [
      'the call’s reasoning instead of the scope’s',
      { reasoning: 'low' },
      { reasoning: 'high' },
      { reasoning: 'high' },
    ],
    ['a forced final tool', { forceFinalTool: true }, {}, { force_final_tool: true }],
    [
      'the call’s forceFinalTool of false',
      { forceFinalTool: true },
      { forceFinalTool: false },
      { force_final_tool: false },
    ],
    [
      'the scope’s forceFinalTool if the call’s is undefined',
      { forceFinalTool: true },
      { forceFinalTool: undefined } as RunOptions,
      { force_final_tool: true },
    ],
    [
      'the system tools of scope and call, merged by field',
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
      'approved compose targets',
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
      'the orchestration config of scope and call, merged by field',
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
      'the memory config of scope and call, merged by section',
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
      'the memory assets of scope and call',
      { memoryAssetsConfig: { definedSkills: [{ name: 's' }] } },
      { memoryAssetsConfig: { recallTurnActive: true } },
      { memory_assets_config: { defined_skills: [{ name: 's' }], recall_turn_active: true } },
    ],
    [
      'the metadata of scope and call',
      { metadata: { a: 1, b: 1 } },
      { metadata: { b: 2 } },
      { metadata: { a: 1, b: 2 } },
    ],
    ['a disabled response stream', {}, { streamResponse: false }, { stream_response: false }],
    ['enabled status messages', {}, { statusMessages: true }, { status_messages: true }],
  ])('contains %s', async (_name, scope, call, state) => {
    expect((await startRequest(scope, call)).state).toMatchObject(state);
  });

  it('contains the delivery mode, the thread, and the timeout in whole seconds', async () => {
    const body = await startRequest({ timeoutMs: 60_000 }, { threadId: 't-7', timeoutMs: 1500 }, 'stream');
    expect(body).toMatchObject({
      thread_id: 't-7',
      state: { execution_config: { sdk_delivery_mode: 'stream', timeout: 2 } },
    });
  });

  it('contains the client’s time zone, and its thread unless the call names another', async () => {
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

describe('invalid run options', () => {
  it.each<[string, object, RegExp]>([
    ['an option', { treadId: 'x' }, /Unknown option 'treadId'\. Known options: (.*, )?threadId/],
    [
      'a nested option',
      { orchestrationConfig: { mod: 'hybrid' } },
      /Unknown option 'mod'\. Known options: (.*, )?mode.*\n.*at orchestrationConfig/,
    ],
  ])('list the known options where %s is misspelled', async (_name, call, message) => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', call)).rejects.toThrow(message);
  });

  it.each<[string, object, string]>([
    ['an unknown option', { treadId: 'x' }, 'CONFIG_INVALID_OPTION'],
    ['an unknown nested option', { orchestrationConfig: { mod: 'hybrid' } }, 'CONFIG_INVALID_OPTION'],
    ['an unknown mode', { orchestrationConfig: { mode: 'loop' } }, 'CONFIG_INVALID_OPTION'],
    ['a maxCycles of 0', { orchestrationConfig: { maxCycles: 0 } }, 'CONFIG_INVALID_OPTION'],
    ['a blank model', { model: ' ' }, 'CONFIG_INVALID_OPTION'],
    ['a timeoutMs of 0', { timeoutMs: 0 }, 'CONFIG_INVALID_OPTION'],
    [
      'a topK above candidateLimit',
      { memoryConfig: { retrieval: { topK: 30, candidateLimit: 20 } } },
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a relevance floor above 1',
      { memoryConfig: { retrieval: { insightRelevanceFloor: 1.1 } } },
      'CONFIG_INVALID_OPTION',
    ],
    ['metadata that JSON cannot represent', { metadata: { size: 1n } }, 'CONFIG_INVALID_OPTION'],
    ['an interrupt service without ask()', { interruptService: {} }, 'CONFIG_INVALID_OPTION'],
    ['a whitelist that is not a PIIWhitelist', { piiWhitelist: {} }, 'CONFIG_INVALID_OPTION'],
    ['a metadata name reserved for memory', { metadata: { memory_x: 1 } }, 'CONFIG_RESERVED_METADATA'],
    [
      'several reserved metadata names',
      { metadata: { memory_x: 1, swarm_id: 2, mine: 3 } },
      'CONFIG_RESERVED_METADATA',
    ],
  ])('are refused before any request: %s', async (_name, call, code) => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', call)).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([
    [{ retrieval: { topk: 3 } }],
    [{ level: 'loud' }],
    [{ retrieval: { topK: 30, candidateLimit: 20 } }],
    [[]],
  ])('are refused when an agent is created: memoryConfig %j', (memoryConfig) => {
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
  ])('cause an error that says what is expected: %s, for %j', async (said, call) => {
    await using setup = await startAgent((session) => session.finish());
    const code = 'CONFIG_INVALID_OPTION';
    const message = expect.stringContaining(said);
    await expect(setup.agent.invoke('x', call)).rejects.toMatchObject({ code, message });
  });

  it('cause an error that names the agent of the run', async () => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', { treadId: 'x' } as never)).rejects.toThrow(
      /^Invalid options for a run of the agent 'billing':.*'treadId'/s,
    );
  });
});

it('a run accepts an empty string as its message', async () => {
  await using setup = await startAgent((session) => session.finish());
  expect(await setup.agent.invoke('')).toMatchObject({ status: 'completed' });
});

it.each([
  [[], 'an empty list'],
  [[new HumanMessage('x'), { role: 'user', content: '4711' }], 'a list with object at index 1'],
  [null, 'null'],
  [{ role: 'user', content: '4711' }, 'object'],
])('a run refuses %j as its messages, and says what it got', async (messages, got) => {
  await using setup = await startAgent((session) => session.finish());
  const refused = setup.agent.invoke(messages as never);
  await expect(refused).rejects.toMatchObject({
    code: 'CONFIG_INVALID_MESSAGES',
    message: expect.stringContaining(`, got ${got}. A plain object`),
  });
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('4711') });
});

describe('mergeMemoryConfig', () => {
  it('merges nested fields and validates the result', () => {
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

  it.each(['skillExtraction', 'insightExtraction'] as const)('merges the fields of %s', (section) => {
    const merged = mergeMemoryConfig({ [section]: { maxCount: 2 } }, { [section]: { enabled: true } });
    expect(merged).toEqual({ [section]: { maxCount: 2, enabled: true } });
  });
});
