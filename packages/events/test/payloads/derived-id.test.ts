import { expect, test } from 'vitest';
import {
  deriveAssignmentId,
  deriveScopeId,
  deriveSystemToolId,
  deriveToolId,
} from '../../src/payloads/derived-id.js';

test.each([
  [deriveToolId('My  Tool '), 'tool:my_tool'],
  [deriveToolId(' '), 'tool'],
  [deriveSystemToolId('Web Search'), 'system_tool:web_search'],
  [deriveSystemToolId(null), 'system_tool'],
  [deriveAssignmentId({ agentName: 'The Planner', swarmName: 'S' }), 'agent:s:the_planner'],
  [deriveAssignmentId({ agentName: 'Planner', swarmName: null }), 'agent:planner'],
  [deriveScopeId({ type: 'Tenant' }), 'tenant'],
  [deriveScopeId({ type: 'swarm', name: 'Research Desk' }), 'swarm:research_desk'],
  [deriveScopeId({ name: 'X' }), 'scope:x'],
  [deriveScopeId({}), 'scope'],
])('an id is derived from names: %s', (derived, expected) => {
  expect(derived).toBe(expected);
});
