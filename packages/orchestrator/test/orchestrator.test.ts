import { expect, it } from 'vitest';
import { openOrchestrator } from './support/open-orchestrator.js';
import { needs, request, toolSpec } from './support/requests.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';

it('runs a session over HTTP: a producer before its consumer, then the answer in a single final', async () => {
  const planner = scriptedPlanner([
    call(['charge_card', { note: 'priority' }], ['fetch_order', { order_id: 'A-17' }]),
    finish('Charged 12.50.'),
  ]);
  const { client } = await openOrchestrator({ planner });
  const tools = [
    toolSpec('fetch_order', { order_id: { type: 'string' } }),
    toolSpec('charge_card', { order: needs('fetch_order'), note: { type: 'string' } }),
  ];
  const ran: string[] = [];
  const { events, final } = await client.run(request('Charge order A-17', tools), {
    fetch_order: (args) => (ran.push(`fetch ${JSON.stringify(args)}`), { id: 'A-17', total: 12.5 }),
    charge_card: (args) => (ran.push(`charge ${JSON.stringify(args)}`), { charged: 12.5 }),
  });
  expect(ran).toEqual(['fetch {"order_id":"A-17"}', 'charge {"note":"priority"}']);
  expect(final).toMatchObject({ status: 'completed', responses: ['Charged 12.50.'] });
  expect(final).not.toHaveProperty('error');
  expect(events.filter(({ name }) => name === 'final')).toHaveLength(1);
  expect(events.map(({ name, payload }) => (name === 'enrichment' ? payload['phase'] : name))).toEqual([
    'session_start',
    'evaluating',
    'planning',
    'executing_actions',
    'tool_event',
    'tool_event',
    'planning',
    'synthesizing',
    'update',
    'finalizing',
    'final',
  ]);
});
