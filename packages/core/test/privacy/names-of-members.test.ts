import { expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent, dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { RedactedMessage } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';

it('a redacted value does not get the name of a member’s private value', async () => {
  await using orchestrator = await startScriptedOrchestrator(async (session) => {
    if (!session.state.swarm_config?.invoked_agent_name) {
      const [message] = session.state.messages;
      await session.callTool('clerk', { prompt: String(message?.content) });
      return session.finish({ responses: ['For {_{customer}_}.'] });
    }
    await session.callTool('mail', { to: '{_{customer}_}' });
    await session.callTool('mail', { to: '{_{customer_2}_}' });
    return session.finish();
  });
  const client = orchestrator.client();
  const privateData: Record<string, unknown> = { customer: 'ACME Corporation' };
  const clerk = new Agent({ name: 'clerk', client, privateData });
  const mailed: unknown[] = [];
  clerk.toolify(
    {
      name: 'mail',
      description: 'Mail somebody',
      input: z.object({ to: z.string() }),
      inject: { of: dependsOnPrivateData('customer') },
    },
    ({ to, of }) => void mailed.push([to, of]),
  );
  await using swarm = new Swarm({ name: 'desk', agents: [clerk] });
  const knownPiiValues = [new PrivateData({ value: 'Maria Santos', name: 'customer' })];
  const { response } = await swarm.invoke(new RedactedMessage('Mail Maria Santos', { knownPiiValues }));
  expect(mailed).toEqual([
    ['{_{customer}_}', 'ACME Corporation'],
    ['Maria Santos', 'ACME Corporation'],
  ]);
  expect(response).toBe('For {_{customer}_}.');
});

it('a preview of a swarm uses the private data of its members, as a run does', async () => {
  const privateData = { customer: 'ACME Corporation' };
  const clerk = new Agent({ name: 'clerk', apiKey: 'key', privateData });
  await using swarm = new Swarm({ name: 'desk', agents: [clerk] });
  const knownPiiValues = [new PrivateData({ value: 'Maria Santos', name: 'customer' })];
  const message = new RedactedMessage('Mail Maria Santos of ACME Corporation', { knownPiiValues });
  expect(swarm.previewRedaction(message).message.content).toBe('Mail {_{customer_2}_} of {_{customer}_}');
});

it.each([
  ['directly', (desk: Agent, clerk: Agent) => asking(desk, clerk)],
  [
    'through the tool of another agent',
    (desk: Agent, clerk: Agent) =>
      asking(desk, asking(new Agent({ name: 'helper', client: desk.client }), clerk)),
  ],
])(
  'a redacted value does not get the name of a private value of an agent that a tool depends on %s',
  async (_of, ask) => {
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      const { invoked_agent_name: name } = session.state.swarm_config ?? {};
      await session.callTool(name === 'clerk' ? 'mail' : `ask_${name ?? 'desk'}`);
      session.finish();
    });
    const client = orchestrator.client();
    const clerk = new Agent({ name: 'clerk', client, privateData: { customer: 'ACME Corporation' } });
    const inject = { of: dependsOnPrivateData('customer') };
    const mailed: string[] = [];
    clerk.toolify({ name: 'mail', description: 'Mail', inject }, ({ of }) => void mailed.push(of));
    const desk = ask(new Agent({ name: 'desk', client }), clerk);
    const knownPiiValues = [new PrivateData({ value: 'Maria Santos', name: 'customer' })];
    const message = new RedactedMessage('Mail Maria Santos', { knownPiiValues });
    await desk.invoke(message);
    expect(mailed).toEqual(['ACME Corporation']);
    expect(desk.previewRedaction(message).insertedKeys).toEqual(['customer_2']);
  },
);

it.each<[string, (swarm: Swarm, clerk: Agent) => object]>([
  [
    'is injected into a member',
    (swarm, clerk) => swarm.addAgent(member(), { inject: { it: dependsOnAgent(clerk) } }),
  ],
  ['a tool of a member depends on', (swarm, clerk) => swarm.addAgent(asking(member(), clerk))],
  [
    'a tool of the swarm depends on',
    (swarm, clerk) =>
      swarm.toolify({ name: 'ask', description: 'Ask', inject: { it: dependsOnAgent(clerk) } }, () => 1),
  ],
])(
  'a preview of a swarm does not reuse the name of a private value of an agent that %s',
  async (_who, join) => {
    const clerk = new Agent({ name: 'clerk', apiKey: 'key', privateData: { customer: 'ACME Corporation' } });
    await using swarm = new Swarm({ name: 'desk' });
    join(swarm, clerk);
    const knownPiiValues = [new PrivateData({ value: 'Maria Santos', name: 'customer' })];
    const message = new RedactedMessage('Mail Maria Santos', { knownPiiValues });
    expect(swarm.previewRedaction(message).insertedKeys).toEqual(['customer_2']);
  },
);

function member(): Agent {
  return new Agent({ name: 'member', apiKey: 'key' });
}

/** Returns the first agent, with a new tool that depends on the second one. */
function asking(agent: Agent, other: Agent): Agent {
  agent.toolify(
    { name: `ask_${agent.name}`, description: 'Ask', inject: { it: dependsOnAgent(other) } },
    () => 1,
  );
  return agent;
}
