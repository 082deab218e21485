import { SessionRequestSchema, type SessionRequestInput } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { compilePlanRequest } from '../../../src/planning/policy/compile-request.js';
import { toolSpec, type ToolSketch } from '../plan-fixtures.js';

type SwarmConfig = NonNullable<SessionRequestInput['swarm_config']>;
type RosterEntry = NonNullable<SwarmConfig['agent_roster']>[number];

const agent = (name: string, more: Partial<ToolSketch> = {}) => toolSpec({ name, type: 'agent', ...more });
const entry = (name: string, more: Partial<RosterEntry> = {}): RosterEntry => ({
  agent_id: `a-${name}`,
  name,
  invocation_tool_id: `t-${name}`,
  ...more,
});
const constraintsOf = (request: SessionRequestInput) =>
  compilePlanRequest(SessionRequestSchema.parse(request), { maxCycles: 10 }).constraints;
const membersOf = (config: SwarmConfig, more: Partial<SessionRequestInput> = {}) =>
  constraintsOf({ tools: [agent('one'), agent('two')], swarm_config: config, ...more }).swarm?.members;

describe('a member of a swarm', () => {
  const nameless = { invocation_tool_id: undefined };

  it.each<[string, RosterEntry, SwarmConfig]>([
    ['its roster entry', entry('one'), {}],
    [
      'the agent_invocation_tool_map',
      entry('one', nameless),
      { agent_invocation_tool_map: { 'a-one': 't-one' } },
    ],
  ])('is invoked by the tool that %s names', (_, given, config) => {
    expect(membersOf({ agent_roster: [given], ...config })).toMatchObject([{ tool_id: 't-one' }]);
  });

  it('is invoked by the tool that targets it if nothing names one', () => {
    const tools = [agent('two'), agent('one', { metadata: { target_agent_id: 'a-one' } })];
    expect(membersOf({ agent_roster: [entry('one', nameless)] }, { tools })).toMatchObject([
      { tool_id: 't-one' },
    ]);
  });

  it('is left out when no tool invokes it', () => {
    expect(membersOf({ agent_roster: [entry('gone'), entry('two')] })).toMatchObject([{ name: 'two' }]);
  });

  it('takes its description from its tool if its entry has none', () => {
    const tools = [agent('one', { description: 'Reads files' })];
    expect(membersOf({ agent_roster: [entry('one')] }, { tools })).toMatchObject([
      { description: 'Reads files' },
    ]);
  });

  it.each<[string, RosterEntry, SwarmConfig]>([
    ['its roster entry', entry('one', { description: 'Writes' }), {}],
    [
      'the agent_invocation_tool_map',
      entry('one', { ...nameless, description: 'Writes' }),
      { agent_invocation_tool_map: { 'a-one': 't-one' } },
    ],
  ])('gives its description to the tool that %s names', (_, given, config) => {
    const request = { tools: [agent('one')], swarm_config: { agent_roster: [given], ...config } };
    const { tools } = compilePlanRequest(SessionRequestSchema.parse(request), { maxCycles: 10 });
    expect(tools).toMatchObject([{ description: 'Writes' }]);
  });
});

describe('a forced final tool of a swarm', () => {
  const owner = { has_final_tool: true };
  const final = { use_as_final_output: true };

  it.each<[string, RosterEntry[], [boolean, boolean][]]>([
    [
      'the only member that has one',
      [entry('one', owner), entry('two', final)],
      [
        [true, true],
        [false, false],
      ],
    ],
    [
      'the one of several that gives the final output',
      [entry('one', owner), entry('two', { ...owner, ...final })],
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      'no member if several have one and none of them gives the final output',
      [entry('one', owner), entry('two', owner)],
      [
        [false, false],
        [false, false],
      ],
    ],
  ])('belongs to %s', (_, agent_roster, expected) => {
    const members = membersOf({ agent_roster }, { force_final_tool: true });
    expect(members?.map((each) => [each.use_as_final_output, each.force_final_tool === true])).toEqual(
      expected,
    );
  });

  it('belongs to the swarm if it has a final tool of its own', () => {
    const tools = [agent('one'), toolSpec({ name: 'report', final_tool: true })];
    const { force_final_tool, swarm } = constraintsOf({
      tools,
      force_final_tool: true,
      swarm_config: { agent_roster: [entry('one', owner)] },
    });
    expect(force_final_tool).toBe(true);
    expect(swarm?.members).toMatchObject([{ use_as_final_output: false }]);
    expect(swarm?.members[0]).not.toHaveProperty('force_final_tool');
  });

  it('is not forced on the root if a member has it', () => {
    const swarm_config = { agent_roster: [entry('one', owner)] };
    expect(constraintsOf({ tools: [agent('one')], force_final_tool: true, swarm_config })).toMatchObject({
      force_final_tool: false,
    });
  });
});

describe('the invocation of a member', () => {
  it('leaves it to the planner by default whether prose is wanted', () => {
    expect(constraintsOf({ swarm_config: { agent_invocation: true } }).invocation).toEqual({
      agent_name: 'agent',
      use_as_final_output: false,
      nested_synthesis: 'auto',
    });
  });

  it('contains the results that it depends on', () => {
    const agent_dependency_context = { facts: [1] };
    const { invocation } = constraintsOf({
      swarm_config: { agent_invocation: true, invoked_agent_name: 'writer', agent_dependency_context },
    });
    expect(invocation).toMatchObject({
      agent_name: 'writer',
      dependency_context: agent_dependency_context,
    });
  });
});
