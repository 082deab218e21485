import { randomBytes } from 'node:crypto';
import { Agent, Client, Swarm } from '@svc/core';
import { addFileTools, addHistoryTools } from './file-tools.js';
import {
  addReportTools,
  addSummaryTool,
  addWriterTools,
  signingKeyName,
  type ReportToolOptions,
} from './report-tools.js';

/** What the demo's agents need: an orchestrator and the folder to inspect. */
export interface AgentOptions extends ReportToolOptions {
  baseUrl: string;
  apiKey: string;
  /** Signs reports; never leaves the process. @default a random key */
  signingKey?: string | undefined;
}

/** The agent that answers questions and the swarm that writes reports. */
export interface DemoAgents {
  agent: Agent;
  swarm: Swarm;
  close(): Promise<void>;
}

const answerPrompt = 'Answer from what the tools return. Never guess a number.';

/** Creates the demo's agent and swarm. Planners see only the name of the signing key. */
export function createAgents(options: AgentOptions): DemoAgents {
  const client = new Client({ apiKey: options.apiKey, baseUrl: options.baseUrl });
  const privateData = { [signingKeyName]: options.signingKey ?? randomBytes(24).toString('hex') };

  const agent = new Agent({
    name: 'guide',
    description: 'Answers questions about a folder of files and its git history',
    systemPrompt: answerPrompt,
    client,
    privateData,
  });
  addFileTools(agent, options.root);
  addHistoryTools(agent, options.root);
  addReportTools(agent, options);

  const analyst = new Agent({
    name: 'analyst',
    description: 'Analyses a folder: measures its files, lines and changes',
    systemPrompt: answerPrompt,
    client,
  });
  addSummaryTool(analyst, options.root);
  const writer = new Agent({
    name: 'writer',
    description: 'Writes a report from what the analyst found',
    client,
    privateData,
  });
  addWriterTools(writer, analyst, options.reportsFolder);
  const swarm = new Swarm({
    name: 'report desk',
    description: 'Analyses a folder and writes a report',
    agents: [analyst, writer],
  });
  return {
    agent,
    swarm,
    close: async () => {
      await Promise.all([agent.close(), swarm.close()]);
      await client.close();
    },
  };
}
