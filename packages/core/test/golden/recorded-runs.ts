import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import type { Client } from '../../src/client/client.js';
import { dependsOnAgent, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import type { InvokeResponse } from '../../src/session/invoke-response.js';
import { Swarm } from '../../src/swarms/swarm.js';

const task = 'Bill customer 42 for 10 EUR';

/** An agent whose tools depend on one another and on a private value. */
export function billingAgent(client: Client): Agent {
  const agent = new Agent({
    name: 'Billing Agent',
    systemPrompt: 'You bill customers.',
    client,
    privateData: { billing_token: 'tok-secret-123', region: 'eu' },
  });
  const lookup = agent.toolify(
    {
      name: 'lookup_customer',
      description: 'Look up a customer',
      input: z.object({ customer_id: z.string(), include_history: z.boolean().optional() }),
      tags: ['crm', 'read'],
    },
    ({ customer_id, include_history }) => ({
      customer_id,
      tier: 'gold',
      history: include_history ? [1, 2] : null,
    }),
  );
  agent.toolify(
    {
      name: 'charge_card',
      description: 'Charge a card',
      input: z.object({ amount: z.number(), currency: z.enum(['EUR', 'USD']).optional() }),
      inject: { customer: dependsOnTool(lookup), token: dependsOnPrivateData('billing_token') },
    },
    ({ amount, currency, customer, token }) => ({
      charged: amount,
      currency,
      tier: customer.tier,
      token_len: token.length,
    }),
  );
  return agent;
}

function researchSwarm(client: Client, forceFinalTool: boolean): Swarm {
  const researcher = new Agent({
    name: 'Researcher',
    description: 'Finds facts',
    systemPrompt: 'Research.',
    client,
    includedNestedSynthesis: true,
    privateData: { source_key: 'src-secret' },
  });
  addFindFacts(researcher);
  const writer = new Agent({ name: 'Writer', description: 'Writes', client, useAsFinalOutput: true });
  writer.toolify(
    { name: 'write_report', description: 'Write.', finalTool: true, input: z.object({ text: z.string() }) },
    ({ text }) => ({ text }),
  );
  const swarm = new Swarm({
    name: 'Research Swarm',
    description: 'Two agents',
    systemPrompt: 'Work together.',
    agents: [researcher, writer],
    forceFinalTool,
  });
  swarm.toolify(
    {
      name: 'load_context',
      description: 'Shared context',
      input: z.object({ market: z.string().optional() }),
    },
    ({ market }) => ({ market }),
  );
  return swarm;
}

function addFindFacts(agent: Agent): void {
  agent.toolify(
    { name: 'find_facts', description: 'Find facts.', input: z.object({ topic: z.string() }) },
    ({ topic }) => ({ topic, facts: ['f1'] }),
  );
}

function dependencyAgents(client: Client) {
  const helper = new Agent({ name: 'Helper Agent', description: 'Helps', client });
  addFindFacts(helper);
  const lead = new Agent({ name: 'Lead Agent', client });
  lead.toolify(
    {
      name: 'summarise',
      description: 'Summarise an analysis.',
      input: z.object({ length: z.int().optional() }),
      inject: { analysis: dependsOnAgent(helper) },
    },
    ({ analysis, length = 0 }) => ({ summary: JSON.stringify(analysis).slice(0, length) }),
  );
  return { helper, lead };
}

/** The calls recorded from the original, by the name of the recording, made with our own classes. */
export const recordedRuns: Readonly<Record<string, (client: Client) => Promise<InvokeResponse>>> = {
  'agent-invoke-two-tools': async (client) => billingAgent(client).invoke(task),
  'resume-no-retry-on-400': async (client) => billingAgent(client).invoke(task),
  'agent-invoke-api-key-only': async (client) => new Agent({ name: 'Bare', client }).invoke('Hello'),
  'agent-invoke-verbose-off-no-stream': async (client) =>
    new Agent({ name: 'x', client }).invoke(task, { streamResponse: false }),
  'swarm-invoke-force-final': async (client) => researchSwarm(client, true).invoke(task),
  'swarm-nested-agent-call': async (client) => researchSwarm(client, false).invoke(task),
  'agent-dependency-in-swarm-swarm-invoke': async (client) => {
    const { helper, lead } = dependencyAgents(client);
    return new Swarm({ name: 'Dependency Swarm', agents: [helper, lead] }).invoke(task);
  },
  'agent-dependency-in-swarm-agent-invoke': async (client) => dependencyAgents(client).lead.invoke(task),
};
