import { SessionRequestSchema, ToolSpecSchema, type SessionRequestInput } from '@svc/contracts/orchestrator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('falls back to UTC for an unknown time zone', () => {
    expect(compile({ execution_config: { client_timezone: 'Mars/X' } }).timezone).toBe('UTC');
    expect(compile({ execution_config: { client_timezone: 'Asia/Tokyo' } }).timezone).toBe('Asia/Tokyo');
  });

  it('caches a time zone regardless of the case of its name', () => {
    const read = (client_timezone: string) => compile({ execution_config: { client_timezone } }).timezone;
    expect(read('Asia/Seoul')).toBe('Asia/Seoul');
    const lookUp = vi.spyOn(Intl, 'DateTimeFormat');
    onTestFinished(() => lookUp.mockRestore());
    expect([read('asia/seoul'), read('ASIA/SEOUL')]).toEqual(['Asia/Seoul', 'Asia/Seoul']);
    expect(lookUp).not.toHaveBeenCalled();
  });

  it('takes the schema of the structured output from the model tool of that name', () => {
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

  it('takes the schema of the structured output from the final model tool if none has that name', () => {
    const request = { structured_output_config: { enabled: true, model: 'Receipt' } };
    const other = toolSpec({ name: 'Invoice', type: 'model', final_tool: true });
    expect(compile({ tools: [other], ...request }).constraints.structured_output?.name).toBe('Invoice');
    const report = toolSpec({ name: 'report', final_tool: true });
    expect(compile({ tools: [report], ...request }).constraints).not.toHaveProperty('structured_output');
    const off = { structured_output_config: { enabled: false, model: 'Invoice' } };
    expect(compile({ tools: [other], ...off }).constraints).not.toHaveProperty('structured_output');
  });

  it('finds targets by name, then by id', () => {
    const tools = [toolSpec({ name: 'a' }), toolSpec({ name: 'b' }), toolSpec({ name: 't-a' })];
    const targeted_tools = ['t-b', 'a', 't-a'];
    expect(compile({ tools, targeted_tools }).constraints.targeted_tools).toEqual(['t-b', 't-a', 't-t-a']);
  });

  it('keeps a referenced model as a tool if it is a target or the structured output', () => {
    const flattened = ToolSpecSchema.parse({
      ...toolSpec({ name: 'pay' }),
      args_schema: { properties: { receipt: resultOf('Receipt') } },
    });
    const tools = [toolSpec({ name: 'Receipt', type: 'model' }), flattened];
    const namesOf = (more: SessionRequestInput) => compile({ tools, ...more }).tools.map(({ name }) => name);
    expect(namesOf({})).toEqual(['pay']);
    expect(namesOf({ targeted_tools: ['Receipt'] })).toEqual(['Receipt', 'pay']);
    expect(namesOf({ structured_output_config: { enabled: true, model: 'Receipt' } })).toEqual([
      'Receipt',
      'pay',
    ]);
  });

  it('lists the names of private values with what is known about them', () => {
    const { private_data } = compile({
      private_data_schema: [{ data_key: 'card', label: 'Card', description: '' }, { data_key: 'pin' }],
    });
    expect(private_data).toEqual([{ data_key: 'card', label: 'Card' }, { data_key: 'pin' }]);
  });

  it('prefers force_model to model, and the time zone of the client to that of the deployment', () => {
    const { preference, timezone } = compile({
      model: 'fast',
      force_model: 'max',
      execution_config: { client_timezone: 'Asia/Tokyo', sdk_deployment_timezone: 'Europe/Rome' },
    });
    expect(preference).toEqual({ model: 'max' });
    expect(timezone).toBe('Asia/Tokyo');
    const deployed = { execution_config: { sdk_deployment_timezone: 'Europe/Rome' } };
    expect(compile(deployed).timezone).toBe('Europe/Rome');
  });

  it('accepts a chain of 1,000 tools, and refuses more', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) =>
        toolSpec({ name: `step_${index}`, properties: { from: resultOf(`step_${index + 1}`) } }),
      );
    expect(compile({ tools: chain(1000) }).tools).toHaveLength(1000);
    for (const length of [1001, 20_000])
      expect(() => compile({ tools: chain(length) })).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', details: { limit: 1000, given: length } }),
      );
  });

  it('does not count models that only describe arguments', () => {
    const models = Array.from({ length: 1001 }, (_, index) =>
      toolSpec({ name: `Part${index}`, type: 'model', metadata: { schema_only: true } }),
    );
    expect(compile({ tools: [...models, toolSpec({ name: 'a' })] }).tools).toHaveLength(1);
  });

  it.each([
    ['UNKNOWN_TARGET', { targeted_tools: ['zzz'], tools: [toolSpec({ name: 'a' })] }, 'Available: a'],
    [
      'TARGETS_CONFLICT',
      { targeted_tools: ['a'], force_final_tool: true, tools: [toolSpec({ name: 'a', final_tool: true })] },
      'targeted_tools',
    ],
    [
      'TARGETS_CONFLICT',
      {
        targeted_tools: ['a'],
        structured_output_config: { enabled: true },
        tools: [toolSpec({ name: 'a' })],
      },
      'structured output',
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
  ] satisfies [string, SessionRequestInput, string][])(
    'refuses an invalid request with $0: $2',
    (code, request, text) => {
      expect(() => compile(request)).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(text) }),
      );
    },
  );

  const range = (count: number) => Array.from({ length: count }, (_, i) => i);

  it.each([
    [
      'arguments and targets approved for compose',
      (count: number) => {
        const policy = { compose_artifact: { mode: 'allow', approval: 'explicit' } } as const;
        const arg_policies = Object.fromEntries(range(count).map((i) => [`a${i}`, policy]));
        return {
          tools: [toolSpec({ name: 't', metadata: { arg_policies } })],
          system_tools_config: { approved_compose_artifact_targets: range(count).map((i) => `t.${i}`) },
        };
      },
    ],
    [
      'tools and targets',
      (count: number) => ({
        tools: range(count / 8).map((i) => toolSpec({ name: `t${i}` })),
        targeted_tools: range(count * 4).map(() => `t${count / 8 - 1}`),
      }),
    ],
  ] satisfies [string, (count: number) => SessionRequestInput][])(
    'reads many %s in less than quadratic time',
    (_, make) => {
      const [few, many] = [1_000, 8_000].map((count) => SessionRequestSchema.parse(make(count)));
      const cpuOf = (request: typeof few) => {
        const start = process.cpuUsage();
        compilePlanRequest(request ?? SessionRequestSchema.parse({}), { maxCycles: 10 });
        const { user, system } = process.cpuUsage(start);
        return user + system;
      };
      cpuOf(few);
      // Eight times as many would take 64 times the work if it were quadratic.
      expect(cpuOf(many)).toBeLessThan(Math.max(cpuOf(few), 3_000) * 30);
    },
  );
});
