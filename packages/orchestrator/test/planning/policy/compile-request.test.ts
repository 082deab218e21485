import { SessionRequestSchema, type SessionRequestInput } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { compilePlanRequest } from '../../../src/planning/policy/compile-request.js';
import { resultOf, toolSpec } from '../plan-fixtures.js';

const compile = (request: SessionRequestInput, maxCycles = 10) =>
  compilePlanRequest(SessionRequestSchema.parse(request), { maxCycles });

describe('compilePlanRequest', () => {
  it('has defaults that let the planner decide', () => {
    expect(compile({})).toEqual({
      tools: [],
      private_data: [],
      constraints: {
        force_final_tool: false,
        mode: 'supervisor_loop',
        stop_strategy: 'orchestrator_decides',
        allow_followup_actions: true,
        allow_reevaluate_loop: true,
        max_cycles: 10,
      },
      preference: {},
      timezone: 'UTC',
    });
  });

  it('lets max_cycles only lower the limit', () => {
    expect(compile({ orchestration_config: { max_cycles: 3 } }).constraints.max_cycles).toBe(3);
    expect(compile({ orchestration_config: { max_cycles: 99 } }).constraints.max_cycles).toBe(10);
  });

  it('reads a time zone it does not know as UTC', () => {
    expect(compile({ execution_config: { client_timezone: 'Mars/X' } }).timezone).toBe('UTC');
    expect(compile({ execution_config: { client_timezone: 'Asia/Tokyo' } }).timezone).toBe('Asia/Tokyo');
  });

  it('takes the structure of the answer from the model tool of that name', () => {
    const model = toolSpec({
      name: 'Receipt',
      type: 'model',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      final_tool: true,
    });
    const { constraints } = compile({
      tools: [model],
      force_final_tool: true,
      structured_output_config: { enabled: true, model: 'Receipt' },
    });
    expect(constraints.structured_output).toEqual({
      name: 'Receipt',
      tool_id: 't-Receipt',
      schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    });
  });

  it.each([
    ['UNKNOWN_TARGET', { targeted_tools: ['zzz'], tools: [toolSpec({ name: 'a' })] }, 'Available: a'],
    [
      'TARGETS_CONFLICT',
      { targeted_tools: ['a'], force_final_tool: true, tools: [toolSpec({ name: 'a', final_tool: true })] },
      'targeted_tools',
    ],
    ['NO_FINAL_TOOL', { force_final_tool: true, tools: [toolSpec({ name: 'a' })] }, 'no tool is final'],
    [
      'SEVERAL_FINAL_TOOLS',
      { tools: [toolSpec({ name: 'a', final_tool: true }), toolSpec({ name: 'b', final_tool: true })] },
      'a, b',
    ],
    [
      'TOOL_CYCLE',
      {
        tools: [
          toolSpec({ name: 'a', properties: { x: resultOf('b') } }),
          toolSpec({ name: 'b', properties: { x: resultOf('a') } }),
        ],
      },
      'a → b → a',
    ],
  ] satisfies [string, SessionRequestInput, string][])('refuses with %s', (code, request, text) => {
    expect(() => compile(request)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(text) }),
    );
  });
});
