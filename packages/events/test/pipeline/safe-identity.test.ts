import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

it.each(['internal', 'frontend_safe'] as const)(
  'tools, members and scopes keep their ids when their name becomes private mid-turn (%s)',
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

it.each(['internal', 'frontend_safe'] as const)(
  'a failed system tool and its hook have the id it started with (%s)',
  async (audience) => {
    const log = new MemoryEventLog();
    const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
    const bridge = new EventBridge('s', { audience, log, logger: silentLogger, privateValues });
    for (const toolId of ['a-SECRET-42', 'b-SECRET-42']) {
      await bridge.emitSystemToolStart({ toolType: 'search', toolId, params: { q: 1 } });
    }
    await bridge.emitSystemToolChunk({ toolId: 'b-SECRET-42', text: 'reading SECR' });
    const hook = { name: 'audit', stage: 'after', target_type: 'tool', target_id: 'b-SECRET-42' };
    await bridge.emit('hook_fired', { hook });
    await bridge.emit('system_tool_error', { error: 'x', tool: { id: 'b-SECRET-42', name: 'search' } });
    await bridge.emitFinal('done');
    const events = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    const [fired] = events.splice(3, 1);
    expect(fired?.data.hook).toMatchObject({ ...hook, target_id: 'a-{_{token}_}' });
    expect(
      events.slice(0, -1).map(({ type, data }) => [type, (data.tool as { id: string }).id, data.text]),
    ).toEqual([
      ['system_tool_start', 'a-{_{token}_}', undefined],
      ['system_tool_start', 'a-{_{token}_}', undefined],
      ['system_tool_chunk', 'a-{_{token}_}', 'reading '],
      ['system_tool_chunk', 'a-{_{token}_}', 'SECR'],
      ['system_tool_error', 'a-{_{token}_}', undefined],
    ]);
    const { notes } = await log.open('s');
    expect(JSON.stringify(notes).includes('SECRET-42')).toBe(audience === 'internal');
  },
);

describe('the log of a frontend_safe bridge', () => {
  const agentTool = { toolName: 'search', toolId: 't', status: 'executing', toolType: 'agent' };
  const assignment = { agentName: 'Analyst', status: 'received' };
  const enrichment = { phase: 'p', message: 'm' };

  it.each<[string, (bridge: EventBridge, value: string) => Promise<unknown>]>([
    ['id of a tool', (bridge, toolId) => bridge.emitToolEvent({ ...agentTool, toolId })],
    ['agent of a tool', (bridge, agentName) => bridge.emitToolEvent({ ...agentTool, agentName })],
    [
      'swarm of a tool',
      (bridge, swarmName) => bridge.emitToolEvent({ ...agentTool, agentName: 'Analyst', swarmName }),
    ],
    ['id of a member', (bridge, assignmentId) => bridge.emitAgentAssignment({ ...assignment, assignmentId })],
    ['name of a member', (bridge, agentName) => bridge.emitAgentAssignment({ ...assignment, agentName })],
    ['swarm of a member', (bridge, swarmName) => bridge.emitAgentAssignment({ ...assignment, swarmName })],
    ['id of a scope', (bridge, scopeId) => bridge.emitEnrichment({ ...enrichment, scopeId })],
    ['name of a scope', (bridge, scopeName) => bridge.emitEnrichment({ ...enrichment, scopeName })],
    ['type of a scope', (bridge, scopeType) => bridge.emitEnrichment({ ...enrichment, scopeType })],
  ])('does not contain a private value from the %s', async (_, say) => {
    const log = new MemoryEventLog();
    const privateValues = () => [{ name: 'client', value: 'Anna Berg' }];
    const bridge = new EventBridge('s', {
      audience: 'frontend_safe',
      log,
      logger: silentLogger,
      privateValues,
    });
    await say(bridge, 'Anna Berg');
    const { notes } = await log.open('s');
    expect(notes).not.toEqual([]);
    expect(JSON.stringify(notes)).not.toMatch(/anna.berg/i);
  });
});
