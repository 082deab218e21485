import { expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

it.each(['internal', 'frontend_safe'] as const)(
  'what has an id of its own keeps it when its name becomes private in mid-turn, on a bridge that is %s',
  async (audience) => {
    const values: { name: string; value: string }[] = [];
    const bridge = new EventBridge('s', { audience, logger: silentLogger, privateValues: () => values });
    const agentName = 'Anna Berg';
    const scope = { phase: 'p', message: 'm', scopeType: 'agent', scopeName: agentName };
    const say = async (status: string) => {
      await bridge.emitToolEvent({ toolName: 'search', toolId: 't-1', status, agentName });
      await bridge.emitToolEvent({
        toolName: agentName,
        toolId: 't-2',
        status,
        toolType: 'agent',
        agentName,
      });
      await bridge.emitAgentAssignment({ assignmentId: 'a-1', agentName, status });
      await bridge.emitEnrichment({ ...scope, scopeId: 's-1' });
      await bridge.emitEnrichment({ ...scope, scopeId: 's-2' });
    };
    await say('executing');
    values.push({ name: 'client', value: agentName });
    await say('completed');
    await bridge.emitFinal('done');
    const events = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    const ids = events.map(({ data }) => data.tool_id ?? data.assignment_id ?? data.scope_id);
    const each = ['t-1', 't-2', 't-2', 's-1', 's-1'];
    expect(ids).toEqual([...each, ...each, undefined]);
    expect(JSON.stringify(events.slice(each.length))).not.toMatch(/anna.berg/i);
  },
);
