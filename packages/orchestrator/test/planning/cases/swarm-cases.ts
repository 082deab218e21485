import { constraints, resultOf, swarmMember, toolsOf, type ToolSketch } from '../plan-fixtures.js';
import { shopToolbox } from '../shop-toolbox.js';
import { call, type PlanningCase } from './planning-case.js';
import { shopAnswers } from './shop-cases.js';

const agentTool = (name: string, description: string, ...producers: string[]): ToolSketch => ({
  name,
  description,
  type: 'agent',
  tags: ['dynamic', 'agent_invocation'],
  properties: {
    prompt: { type: 'string' },
    ...Object.fromEntries(producers.map((each) => [each, { ...resultOf(each), tool_type: 'agent' }])),
  },
  required: ['prompt', ...producers],
});

const deskTools = toolsOf(
  agentTool('analyst', 'Measures folders: files, lines, history'),
  agentTool('writer', 'Writes the report', 'analyst'),
);
const desk = {
  swarm_name: 'desk',
  members: [swarmMember('analyst'), swarmMember('writer', { use_as_final_output: true })],
  swarm_has_final_tool: false,
};

/** Members of a swarm: which ones run, in what order, and with which part of the request. */
export const swarmCases: readonly PlanningCase[] = [
  {
    name: 'runs the members that the final one depends on, then the final one',
    requests: ['Produce a report about packages/core'],
    context: { tools: deskTools, constraints: constraints({ swarm: desk }) },
    answers: { analyst: { result: { lines: 3 } }, writer: { result: null, response: 'The report.' } },
    steps: [
      ['analyst {"prompt":"Produce a report about packages/core"}'],
      ['writer {"prompt":"Produce a report about packages/core","use_as_final_output":true}'],
    ],
    result: 'The report.',
  },
  {
    name: 'gives each member its own part of the request',
    requests: ['Research the history of tea and translate the title'],
    context: {
      tools: toolsOf(
        agentTool('researcher', 'Researches facts'),
        agentTool('translator', 'Translates texts'),
      ),
      constraints: constraints({
        swarm: {
          swarm_name: 's',
          members: [swarmMember('researcher'), swarmMember('translator')],
          swarm_has_final_tool: false,
        },
      }),
    },
    answers: { researcher: { response: 'Tea is old.' }, translator: { response: 'Tee.' } },
    steps: [
      ['researcher {"prompt":"Research the history of tea"}', 'translator {"prompt":"translate the title"}'],
    ],
    says: ['Tea is old.', 'Tee.'],
  },
  {
    name: 'sends a request that matches no member to the closest one',
    requests: ['Two lines about tea'],
    context: {
      tools: toolsOf(
        agentTool('researcher', 'Finds facts about drinks and tea'),
        agentTool('coder', 'Writes programs'),
      ),
      constraints: constraints({
        swarm: {
          swarm_name: 's',
          members: [swarmMember('coder'), swarmMember('researcher')],
          swarm_has_final_tool: false,
        },
      }),
    },
    answers: { researcher: { response: 'Tea is old.' } },
    steps: [['researcher {"prompt":"Two lines about tea"}']],
    says: ['Tea is old.'],
  },
  ...[
    ['Write a report about tea', ', even if the request names the final tool'],
    ['Two lines about tea', ''],
  ].map(([request = '', condition = '']): PlanningCase => ({
    name: `builds the structured answer from a member’s response${condition}`,
    requests: [request],
    context: {
      tools: toolsOf(agentTool('researcher', 'Finds facts about drinks and tea'), {
        name: 'report',
        type: 'model',
        description: 'Gives the answer of the run.',
        properties: { summary: { type: 'string' } },
        required: ['summary'],
        final_tool: true,
      }),
      constraints: constraints({
        force_final_tool: true,
        structured_output: { name: 'report', schema: {}, tool_id: 't-report' },
        swarm: { swarm_name: 's', members: [swarmMember('researcher')], swarm_has_final_tool: false },
      }),
    },
    answers: { researcher: { response: 'Tea is old.' }, report: (args) => args },
    steps: [[`researcher {"prompt":"${request}"}`], ['report {"summary":"Tea is old."}']],
    result: { summary: 'Tea is old.' },
  })),
  {
    name: 'fills the arguments of a member’s tools from the results of other members',
    requests: ['Save the note to out.md'],
    context: {
      tools: toolsOf(...shopToolbox),
      constraints: constraints({
        invocation: {
          agent_name: 'writer',
          use_as_final_output: true,
          nested_synthesis: 'auto',
          dependency_context: { analyst: { result: null, response: 'All is well.' } },
        },
      }),
    },
    answers: shopAnswers,
    steps: [[call('save_note', { content: 'All is well.', path: 'out.md' })]],
  },
  {
    name: 'answers for a member without tools from the results of other members',
    requests: [
      'Write two lines\n\nDependency context:\n{\n  "analyst": {\n    "result": {"lines": 3400}\n  }\n}',
    ],
    context: {
      constraints: constraints({
        invocation: {
          agent_name: 'writer',
          use_as_final_output: true,
          nested_synthesis: 'auto',
          dependency_context: { analyst: { result: { lines: 3400, folder: 'docs' } } },
        },
      }),
    },
    answers: {},
    steps: [],
    says: ['3400', 'docs'],
  },
];
