/** A function tool as a client declares it. */
export function toolSpec(name: string, properties: Record<string, object> = {}, rest: object = {}) {
  return {
    tool_id: `t-${name}`,
    agent_id: 'a-1',
    name,
    description: `Does ${name.replaceAll('_', ' ')}`,
    tags: [],
    tool_type: 'func',
    args_schema: {
      tool_id: `t-${name}`,
      tool_type: 'func',
      properties,
      required: Object.keys(properties),
      return_type: {},
    },
    always_execute: false,
    final_tool: false,
    metadata: {},
    ...rest,
  };
}

/** A member of a swarm, as the tool that a client declares for it. */
export const memberSpec = (name: string, properties = {}) =>
  toolSpec(
    name,
    { prompt: { type: 'string' }, ...properties },
    { tool_type: 'agent', metadata: { target_agent_id: `ag-${name}` } },
  );

/** A request with one message from the user. */
export function request(text: string, tools: object[] = [], rest: object = {}) {
  return {
    messages: [{ type: 'human', content: text }],
    tools,
    execution_config: { agent_id: 'a-1', timeout: 900, client_timezone: 'Europe/Berlin' },
    ...rest,
  };
}

export const needs = (tool: string) => ({
  type: 'tool_dependency',
  tool_id: `t-${tool}`,
  tool_name: tool,
  tool_type: 'func',
});
