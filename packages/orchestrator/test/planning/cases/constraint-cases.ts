import { fileToolbox } from '../demo-toolbox.js';
import { constraints, resultOf, toolsOf, type ToolSketch } from '../plan-fixtures.js';
import { fileAnswers } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

const summary: ToolSketch = {
  name: 'Summary',
  type: 'model',
  description: 'The summary of a folder',
  properties: {
    folder: { type: 'string' },
    total_lines: { type: 'integer' },
    text: { type: 'string', description: 'In words' },
  },
  required: ['folder', 'total_lines', 'text'],
  final_tool: true,
};

/** Constraints of requests and tools: final tools, targets, order, planning rounds. */
export const constraintCases: readonly PlanningCase[] = [
  {
    name: 'builds the structured answer from tool results',
    requests: ['Count the lines of packages/core'],
    context: {
      tools: toolsOf(...fileToolbox, summary),
      constraints: constraints({
        force_final_tool: true,
        structured_output: { name: 'Summary', schema: {}, tool_id: 't-Summary' },
      }),
    },
    answers: {
      ...fileAnswers,
      count_lines: { folder: 'packages/core', lines: 3400 },
      Summary: (args) => args,
    },
    steps: [
      [call('count_lines', { path: 'packages/core' })],
      [
        call('Summary', {
          folder: 'packages/core',
          text: '`packages/core`: **3400** lines.',
          total_lines: 3400,
        }),
      ],
    ],
    result: { folder: 'packages/core', total_lines: 3400, text: '`packages/core`: **3400** lines.' },
  },
  {
    name: 'runs the final tool after its producers',
    requests: ['Go'],
    context: {
      tools: toolsOf(
        { name: 'load' },
        { name: 'total', properties: { data: resultOf('load') }, required: ['data'], final_tool: true },
      ),
      constraints: constraints({ force_final_tool: true }),
    },
    answers: { load: [1, 2], total: 3 },
    steps: [['load'], ['total']],
    result: 3,
  },
  {
    name: 'runs an always_execute tool besides what was asked',
    requests: ['Show the latest commits', 'latest commits'],
    context: {
      tools: toolsOf(...fileToolbox, {
        name: 'write_audit',
        description: 'Write the audit',
        always_execute: true,
      }),
    },
    answers: { ...fileAnswers, write_audit: { ok: true } },
    steps: [['git_history', 'write_audit']],
    says: ['abc123'],
    saysNot: ['audit'],
  },
  {
    name: 'runs an always_execute tool even for a greeting',
    requests: ['Hello'],
    context: { tools: toolsOf({ name: 'write_audit', always_execute: true }) },
    answers: { write_audit: { logged: 'yes it is' } },
    steps: [['write_audit']],
    says: ['yes it is'],
  },
  {
    name: 'runs the targeted tools with their producers, and nothing else',
    requests: ['Show the largest files of docs', 'Tell me all about the docs folder'],
    context: {
      tools: toolsOf(...fileToolbox),
      constraints: constraints({ targeted_tools: ['t-sign_report'] }),
    },
    answers: fileAnswers,
    steps: [['summarize_folder {"folder":"docs"}'], ['sign_report']],
    says: ['f00d'],
  },
  {
    name: 'stops at a reevaluate boundary and continues in the next round',
    requests: ['Load the plan and apply the plan'],
    context: {
      tools: toolsOf(
        { name: 'load_plan', description: 'Load the plan' },
        {
          name: 'apply_plan',
          description: 'Apply the plan',
          metadata: {
            execution_controls: {
              reevaluate: [{ tool_id: 't-load_plan', tool_name: 'load_plan' }],
              await_for: [],
            },
          },
        },
      ),
    },
    answers: { load_plan: { plan: 'p' }, apply_plan: { applied: true } },
    steps: [['load_plan'], ['apply_plan']],
    says: ['applied'],
  },
  {
    name: 'runs a call after the one it awaits',
    requests: ['Audit the books and fetch the records'],
    context: {
      tools: toolsOf(
        { name: 'fetch_records', description: 'Fetch the records' },
        {
          name: 'audit_books',
          description: 'Audit the books',
          metadata: {
            execution_controls: {
              await_for: [{ tool_id: 't-fetch_records', tool_name: 'fetch_records' }],
              reevaluate: [],
            },
          },
        },
      ),
    },
    answers: { fetch_records: [1], audit_books: { fine: true } },
    steps: [['fetch_records'], ['audit_books']],
  },
  {
    name: 'plans only once in single_shot_dag, and reports what it did not get to',
    requests: ['Read the largest file'],
    context: { tools: toolsOf(...fileToolbox), constraints: constraints({ mode: 'single_shot_dag' }) },
    answers: fileAnswers,
    steps: [['largest_files']],
    says: [/did not get to “Read the largest file”/, 'planned once'],
  },
  {
    name: 'stops when its planning rounds are used up',
    requests: ['Find the largest file and show it'],
    context: { tools: toolsOf(...fileToolbox), constraints: constraints({ max_cycles: 1 }) },
    answers: fileAnswers,
    steps: [['largest_files']],
    says: ['src/big.ts', 'planning rounds are used up'],
  },
];
