import { readFileSync, readdirSync } from 'node:fs';
import type { JsonObject } from '@svc/contracts';
import { StartSessionRequestSchema, type SessionRequest } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { hidePrivateData } from '../../../src/ingress/hide-private-data.js';
import { compilePlanRequest } from '../../../src/planning/policy/compile-request.js';
import { planTools } from '../../../src/planning/policy/plan-tools.js';
import { privateValue, resultOf, toolSpec, toolsOf } from '../plan-fixtures.js';

const vectors = new URL('../../vectors/', import.meta.url);

/** The requests of a recording, as they are planned: without private values. */
function recordedRequests(file: string): SessionRequest[] {
  const { expected } = JSON.parse(readFileSync(new URL(file, vectors), 'utf8'));
  return expected.requests
    .filter((request: { path: string }) => request.path === '/start-session')
    .map((request: { body_json: unknown }) => StartSessionRequestSchema.parse(request.body_json).state)
    .map((state: SessionRequest) => hidePrivateData(state).request);
}

const firstRequest = (file: string) => {
  const [request] = recordedRequests(file);
  if (!request) throw new Error(`no request in ${file}`);
  return compilePlanRequest(request, { maxCycles: 10 });
};

describe('planTools', () => {
  it('requires arguments named like inherited properties only if they are declared', () => {
    const properties = { constructor: { type: 'string' }, id: { type: 'string' } };
    const [find] = toolsOf({ name: 'find', properties, required: ['constructor', 'id', 'toString'] });
    expect(find?.parameters.required).toEqual(['constructor', 'id']);
  });

  it('shows a planner only the arguments it has to fill', () => {
    const [, charge] = toolsOf(
      { name: 'fetch_order', properties: { id: { type: 'string' } }, required: ['id'] },
      {
        name: 'charge',
        properties: {
          note: { type: 'string' },
          order: resultOf('fetch_order'),
          token: privateValue('card'),
          agreed: {
            type: 'interrupt_dependency',
            prompt: 'Charge?',
            data_key: 'agreed',
            input_type: 'boolean',
          },
        },
        required: ['note', 'order', 'token', 'agreed'],
      },
    );
    expect(charge?.parameters).toEqual({
      type: 'object',
      properties: { note: { type: 'string' } },
      required: ['note'],
    });
    expect(charge?.dependencies).toEqual([
      { type: 'tool', tool_id: 't-fetch_order', tool_name: 'fetch_order', arg_name: 'order', required: true },
      { type: 'private_data', data_key: 'card', arg_name: 'token' },
      {
        type: 'interrupt',
        arg_name: 'agreed',
        data_key: 'agreed',
        prompt: 'Charge?',
        input_type: 'boolean',
        collected_by: 'client',
      },
    ]);
  });

  it('resolves a dependency that names its producer by name', () => {
    const tools = toolsOf(
      { name: 'a' },
      { name: 'b', properties: { x: { ...resultOf('a'), tool_id: 'a' } }, required: ['x'] },
    );
    expect(tools[1]?.dependencies).toMatchObject([{ type: 'tool', tool_id: 't-a' }]);
  });

  it('reads order rules and producer references, and ignores those that name no tool', () => {
    const order = (name: string) => ({
      tool_id: `t-${name}`,
      tool_name: name,
      timing: 'after',
      instance_control: 'all',
    });
    const [, b] = toolsOf(
      { name: 'a' },
      {
        name: 'b',
        metadata: {
          execution_controls: { await_for: [order('a'), order('gone')], reevaluate: [] },
          producer_references: [
            { argument_path: 'ref', producer_tool_name: 'a' },
            { argument_path: 'other', producer_tool_name: 'gone' },
          ],
        },
      },
    );
    expect(b?.dependencies).toEqual([
      { type: 'await_for', tool_id: 't-a', tool_name: 'a', timing: 'after', instance_control: 'all' },
      {
        type: 'producer_reference',
        argument_path: 'ref',
        tool_id: 't-a',
        tool_name: 'a',
        reference_kind: 'composition_reference',
      },
    ]);
  });

  it('inlines referenced models, up to a limit', () => {
    const flattened = (name: string, properties: JsonObject, type: 'func' | 'model' = 'model') => {
      const { args_schema, ...spec } = toolSpec({ name, type, properties });
      const { type: _type, ...schema } = args_schema;
      return { ...spec, args_schema: schema };
    };
    const models = Array.from({ length: 12 }, (_, level) => {
      const next = { $ref: `#/$defs/M${level + 1}` };
      return flattened(
        `M${level}`,
        Object.fromEntries(Array.from({ length: 10 }, (_each, at) => [`p${at}`, next])),
      );
    });
    const [tool, ...others] = planTools([flattened('f', { a: { $ref: '#/$defs/M0' } }, 'func'), ...models]);
    expect(others).toEqual([]);
    const inside = { properties: { p0: { properties: { p9: {} } } } };
    expect(tool?.parameters).toMatchObject({ properties: { a: inside } });
    expect(JSON.stringify(tool?.parameters).length).toBeLessThan(4_500_000);
  });

  it('does not require the default arguments of an MCP tool', () => {
    const [tool] = toolsOf({
      name: 'files__read',
      type: 'mcp',
      properties: { path: { type: 'string' }, root: { type: 'string' } },
      required: ['path', 'root'],
      metadata: { default_args: { root: '/data' } },
    });
    expect(tool?.parameters.required).toEqual(['path']);
    expect(tool?.default_args).toEqual({ root: '/data' });
  });

  it('keeps the definitions that an MCP schema refers to', () => {
    const spec = toolSpec({ name: 'm', type: 'mcp' });
    const [tool] = planTools([
      {
        ...spec,
        args_schema: {
          properties: { p: { $ref: '#/$defs/P' }, q: { $ref: '#/$defs/Q', description: 'lost' } },
          required: ['p'],
          return_type: undefined,
          $defs: { P: { type: 'string' } },
        },
      },
    ]);
    expect(tool?.parameters).toMatchObject({
      properties: { p: { $ref: '#/$defs/P' }, q: { description: 'lost' } },
      $defs: { P: { type: 'string' } },
    });
  });

  it.each([
    [
      'the same id under two names',
      [toolSpec({ name: 'a' }), { ...toolSpec({ name: 'b' }), tool_id: 't-a' }],
    ],
    ['the same name under two ids', [toolSpec({ name: 'a' }), { ...toolSpec({ name: 'a' }), tool_id: 'x' }]],
    ['two tools under one id and name', [toolSpec({ name: 'a' }), toolSpec({ name: 'a', required: ['n'] })]],
  ])('refuses %s', (_case, specs) => {
    expect(() => planTools(specs)).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }));
  });

  it('merges a tool that is sent twice, and a model that is sent twice with differences', () => {
    const model = { ...toolSpec({ name: 'b' }), tool_type: 'model' as const };
    const specs = [
      toolSpec({ name: 'a' }),
      toolSpec({ name: 'a' }),
      model,
      { ...model, always_execute: true },
    ];
    expect(planTools(specs).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('hides arguments that the orchestrator sets, for agents only', () => {
    const properties = { model: { type: 'string' } };
    const [agent, tool] = toolsOf({ name: 'agent', type: 'agent', properties }, { name: 'tool', properties });
    expect(agent?.parameters.properties).toEqual({});
    expect(tool?.parameters.properties).toEqual(properties);
  });

  it('leaves out system tools and schema-only models', () => {
    const specs = [
      { name: 'think', type: 'system' },
      { name: 'Money', type: 'model', metadata: { schema_only: true } },
      { name: 'pay' },
    ] as const;
    expect(toolsOf(...specs).map(({ name }) => name)).toEqual(['pay']);
  });

  it('takes the schema of a result from output_schema if return_type says nothing', () => {
    const spec = toolSpec({ name: 'count', metadata: { output_schema: { type: 'integer' } } });
    const args_schema = { type: 'object', properties: {} };
    expect(planTools([{ ...spec, args_schema }])).toMatchObject([{ returns: { type: 'integer' } }]);
    const empty = { ...args_schema, return_type: {} };
    expect(planTools([{ ...spec, args_schema: empty }])).toMatchObject([{ returns: { type: 'integer' } }]);
  });

  it('reads a compose policy and whether its target is approved', () => {
    const metadata = {
      arg_policies: { report: { compose_artifact: { mode: 'require', approval: 'explicit' } } },
    };
    const spec = toolSpec({ name: 'write', properties: { report: { type: 'string' } }, metadata });
    const ruleWith = (approvedComposeTargets: string[] | boolean) =>
      planTools([spec], { approvedComposeTargets })[0]?.compose;
    expect(ruleWith([])).toEqual({ report: { mode: 'require', approved: false } });
    for (const targets of [['write.report'], ['write.*'], ['*'], true])
      expect(ruleWith(targets)).toEqual({ report: { mode: 'require', approved: true } });
  });

  it('approves a compose policy that needs no approval', () => {
    const metadata = { arg_policies: { report: { compose_artifact: { mode: 'allow', approval: 'none' } } } };
    expect(toolsOf({ name: 'write', metadata })[0]?.compose).toEqual({
      report: { mode: 'allow', approved: true },
    });
  });

  it('uses the longest description of a tool, and the author’s description of an agent', () => {
    const args_schema = { type: 'object', description: 'Reads one file of the project' };
    const [tool] = planTools([{ ...toolSpec({ name: 'read', description: 'Reads' }), args_schema }]);
    expect(tool?.description).toBe('Reads one file of the project');
    const spec = toolSpec({ name: 'writer', type: 'agent', description: 'Invoke the agent called writer' });
    const agentDescriptions = new Map([['t-writer', 'Writes']]);
    expect(planTools([spec], { agentDescriptions })[0]?.description).toBe('Writes');
  });
});

describe('requests of the original SDK', () => {
  it('have their flattened models inlined', () => {
    const { tools } = firstRequest('wire-tool-schemas.json');
    expect(tools.map((tool) => tool.name)).not.toContain('Address');
    const many = tools.find((tool) => tool.name === 'many_types');
    expect(many?.parameters.properties['person']).toMatchObject({
      type: 'object',
      properties: {
        age: { type: 'integer' },
        home: { type: 'object', properties: { street: { type: 'string' } }, required: ['street', 'city'] },
        others: { type: 'array', items: { properties: { city: { minLength: 2 } } } },
      },
    });
  });

  it('keep no dangling references', () => {
    const { tools } = firstRequest('wire-tool-schemas.json');
    const text = JSON.stringify(tools);
    expect(text).not.toMatch(/\$ref|_dependency/);
  });

  it('leave only the prompt to fill for an agent, and keep the dependencies and members of a swarm', () => {
    const { tools, constraints } = firstRequest('wire-swarm-member-dependency.json');
    const writer = tools.find((tool) => tool.name === 'Writer');
    expect(Object.keys(writer?.parameters.properties ?? {})).toEqual(['prompt']);
    expect(writer?.parameters.required).toEqual(['prompt']);
    expect(writer?.dependencies).toMatchObject([{ type: 'agent', tool_name: 'Researcher', required: true }]);
    expect(constraints.swarm?.members.map((member) => [member.name, member.use_as_final_output])).toEqual([
      ['Researcher', false],
      ['Writer', true],
    ]);
  });

  it('keep the names of private values but never the values', () => {
    const request = firstRequest('wire-agent-stream-all-options.json');
    expect(request.private_data).toEqual([{ data_key: 'billing_token' }, { data_key: 'region' }]);
    expect(JSON.stringify(request)).not.toContain('tok-secret-123');
    expect(request.constraints).toMatchObject({
      mode: 'supervisor_loop',
      stop_strategy: 'objective_satisfied',
      max_cycles: 6,
    });
    expect(request.preference).toEqual({ model: 'fast', reasoning: 'low' });
    expect(request.timezone).toBe('Europe/Berlin');
  });

  it('keep their execution controls with the timing', () => {
    const { tools } = firstRequest('wire-execution-controls.json');
    expect(tools.map((tool) => tool.dependencies)).toMatchObject([
      [],
      [{ type: 'await_for', tool_name: 'fetch_records', timing: 'after', instance_control: 'all' }],
      [{ type: 'reevaluate', tool_name: 'fetch_records', timing: 'before', instance_control: 'each' }],
    ]);
  });

  it.each(readdirSync(vectors).filter((file) => file.startsWith('wire-')))('compile: %s', (file) => {
    for (const request of recordedRequests(file)) {
      const plan = compilePlanRequest(request, { maxCycles: 10 });
      for (const tool of plan.tools)
        for (const name of tool.parameters.required) expect(tool.parameters.properties).toHaveProperty(name);
    }
  });
});
