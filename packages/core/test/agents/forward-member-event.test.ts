import { expect, it } from 'vitest';
import { forwardMemberEvent } from '../../src/agents/forward-member-event.js';

const names = { agentName: 'writer', swarmName: 'desk', callId: 'call-1' };
const forward = (name: string, payload: Record<string, unknown> = {}) =>
  forwardMemberEvent({ name, payload }, names);

it.each(['session_start', 'heartbeat', 'error', 'final', 'session_end'])(
  'does not forward a member’s %s',
  (name) => {
    expect(forward(name)).toBeUndefined();
  },
);

it.each(['update', 'progress_update'])(
  'forwards a member’s %s with the id of its call and the names of its agent and swarm',
  (name) => {
    const payload = { assistant_id: 'own', agent_name: 'other', streaming_content: 'Tea' };
    expect(forward(name, payload)).toEqual({
      name,
      payload: {
        assistant_id: 'call-1',
        agent_name: 'writer',
        swarm_name: 'desk',
        streaming_content: 'Tea',
      },
    });
  },
);

it('keeps the agent name of a tool event and adds the swarm name', () => {
  expect(forward('tool_event', { tool_id: 't-1', agent_name: 'deeper' })).toEqual({
    name: 'tool_event',
    payload: { tool_id: 't-1', agent_name: 'deeper', swarm_name: 'desk' },
  });
});
