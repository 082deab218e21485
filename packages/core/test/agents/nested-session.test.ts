import { expect, it } from 'vitest';
import { dependsOnAgent } from '../../src/decorators/depends-on.js';
import { AIMessage, HumanMessage } from '../../src/messages/message.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { toolify } from '../../src/decorators/toolify.js';
import { startAgent } from '../agent-setup.js';
import { memberOf, setUp } from '../swarms/swarm-doubles.js';

/** Calls the only member; returns the call's result and the state that the member's session started with. */
async function callMember(options: object, args: Record<string, unknown>, swarmOptions: object = {}) {
  await using setup = await setUp(async (session) => {
    if (memberOf(session)) return session.finish();
    session.finish({ result: await session.callTool('one', { prompt: 'p', ...args }) });
  });
  const agents = [setup.agent('one', options)];
  const { result } = await new Swarm({ name: 's', agents, ...swarmOptions }).invoke('x');
  return { result, state: setup.orchestrator.sessions.get('session-2')?.state };
}

const withFinal = {
  tools: [toolify({ name: 'answer', description: 'a', finalTool: true }, () => 42)],
  forceFinalTool: true,
};

it('a member’s memory config inherits the fields it does not set from its swarm', async () => {
  const { state } = await callMember(
    { memoryConfig: { level: 'clarity' } },
    {},
    { memoryConfig: { level: 'glimpse', retrieval: { topK: 3 } } },
  );
  expect(state?.memory_config).toEqual({ level: 'clarity', retrieval: { top_k: 3 } });
});

it('a member keeps its own skills when the planner sets memory_recall_turn_active', async () => {
  const skill = { name: 'tea', description: 'How to make tea' };
  const memoryAssetsConfig = { definedSkills: [skill], recallTurnActive: false };
  const { state } = await callMember({ memoryAssetsConfig }, { memory_recall_turn_active: true });
  expect(state?.memory_assets_config).toMatchObject({
    defined_skills: [{ name: 'tea' }],
    recall_turn_active: true,
  });
});

it.each<[object, boolean]>([
  [{}, true],
  [{ force_final_tool: null }, true],
  [{ force_final_tool: false }, false],
])(
  'a member forces its final tool unless the planner sets force_final_tool to false: %j',
  async (args, forced) => {
    const { state } = await callMember(withFinal, { ...args });
    expect(state?.force_final_tool).toBe(forced);
  },
);

it('a planner cannot force a final tool that a member does not have', async () => {
  const { result, state } = await callMember({}, { force_final_tool: true });
  expect(result).toMatchObject({ status: 'error', error: { code: 'CONFIG_FINAL_TOOL' } });
  expect(state).toBeUndefined();
});

it('the API key of a member’s own client is never sent in a request body', async () => {
  const apiKey = 'another-key-of-a-member';
  await using setup = await setUp(async (session) => {
    const name = memberOf(session) ? 'tell' : 'one';
    session.finish({ result: await session.callTool(name, { prompt: 'p' }) });
  });
  const one = setup.agent('one', { client: setup.orchestrator.client({ apiKey }) });
  one.toolify({ name: 'tell', description: 't' }, () => `It is ${apiKey}.`);
  await new Swarm({ name: 's', client: setup.client, agents: [one] }).invoke('x');
  expect(JSON.stringify(setup.orchestrator.requests.map(({ body }) => body))).not.toContain(apiKey);
});

it('an agent dependency without a prompt receives the last human message of the run', async () => {
  await using setup = await startAgent(async (session) => {
    if (memberOf(session)) return session.finish();
    await session.callTool('use');
    session.finish();
  });
  const { agent, orchestrator } = setup;
  const other = await startAgent(() => {}, { name: 'other', client: agent.client });
  agent.toolify({ name: 'use', description: 'u', inject: { it: dependsOnAgent(other.agent) } }, () => 1);
  const parts = [{ type: 'text', text: 'What is' }, 'tea?'];
  await agent.invoke([new HumanMessage('Hello'), new HumanMessage(parts), new AIMessage('Well')]);
  expect(orchestrator.sessions.get('session-2')?.state.messages).toMatchObject([
    { content: 'What is\ntea?' },
  ]);
  await other[Symbol.asyncDispose]();
});
