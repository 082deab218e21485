import { describe, expect, it } from 'vitest';
import { event, toolEvent, turnAfter } from './events.js';

const hook = (target: Record<string, unknown>, stage = 'before') =>
  event('hook_fired', { hook: { name: 'audit', stage, status: 'completed', elapsed_ms: 2, ...target } });
const enrichment = (phase: string, scope?: Record<string, unknown>) =>
  event('enrichment', { enrichment: { phase, message: `${phase}...` }, ...(scope && { scope }) });

describe('hooks', () => {
  it('go to the card of the tool they ran for, finished or not', () => {
    const target = { target_type: 'tool', target_id: 't1', target_name: 'search' };
    const { cards } = turnAfter(
      toolEvent('t1', 'executing'),
      hook(target),
      toolEvent('t1', 'completed'),
      hook(target, 'after'),
    );
    expect(cards).toMatchObject([
      { id: 't1', status: 'completed', hooks: [{ stage: 'before' }, { stage: 'after', name: 'audit' }] },
    ]);
  });

  it('create the card if they arrive before its first event', () => {
    const target = { target_type: 'tool', target_id: 't1', target_name: 'search' };
    expect(turnAfter(hook(target)).cards).toMatchObject([
      { id: 't1', status: 'pending', tool: { id: 't1', name: 'search' } },
    ]);
    expect(turnAfter(hook(target), toolEvent('t1', 'executing')).cards).toMatchObject([
      { status: 'running', hooks: [{}] },
    ]);
  });

  it('go to the card of their scope, found by its id or its name', () => {
    const { cards } = turnAfter(
      enrichment('planning', { type: 'agent', id: 'agent-1', name: 'Ada' }),
      hook({ target_type: 'agent', target_id: 'agent-1' }),
      hook({ target_type: 'agent', target_id: 'Ada', target_name: 'Ada' }),
      hook({ target_type: 'swarm', target_id: 'agent-1', target_name: 'Ada' }),
    );
    expect(cards).toMatchObject([
      {
        kind: 'scope',
        key: 'scope:agent:agent-1',
        status: 'running',
        scope: { type: 'agent', name: 'Ada' },
        enrichments: [{ phase: 'planning' }],
        hooks: [{}, {}],
      },
      { kind: 'scope', key: 'scope:swarm:agent-1', hooks: [{}] },
    ]);
  });

  it('of scopes with only an id are kept apart', () => {
    const { cards } = turnAfter(
      hook({ target_type: 'agent', target_id: 'a1' }),
      hook({ target_type: 'agent', target_id: 'a2' }),
      hook({ target_type: 'agent', target_id: 'a1' }),
    );
    expect(cards.map((card) => card.kind === 'scope' && [card.id, card.hooks.length])).toEqual([
      ['agent:a1', 2],
      ['agent:a2', 1],
    ]);
  });

  it('of scopes with only a name are kept apart', () => {
    const { cards } = turnAfter(
      hook({ target_type: 'agent', target_name: 'Ada' }),
      hook({ target_type: 'agent', target_name: 'Bob' }),
      hook({ target_type: 'agent', target_name: 'Ada' }),
    );
    expect(cards.map((card) => card.kind === 'scope' && [card.id, card.hooks.length])).toEqual([
      ['agent:Ada', 2],
      ['agent:Bob', 1],
    ]);
  });

  it('read flat fields', () => {
    const flat = {
      name: 'audit',
      stage: 'after',
      status: 'failed',
      error: 'disk full',
      target_type: 'agent',
      target_id: 'a1',
    };
    const fired = event('hook_fired', flat);
    expect(turnAfter(fired).cards).toMatchObject([
      {
        started_at: fired.timestamp,
        scope: { type: 'agent', id: 'a1' },
        hooks: [{ name: 'audit', status: 'failed', error: 'disk full' }],
      },
    ]);
  });
});

describe('enrichments', () => {
  it('are collected in the card of their scope, and the last one is the phase of the turn', () => {
    const turn = turnAfter(
      enrichment('planning'),
      enrichment('searching_tools', { type: 'agent', name: 'Ada' }),
      enrichment('finalizing'),
    );
    expect(turn.enrichment).toMatchObject({ phase: 'finalizing', message: 'finalizing...' });
    expect(
      turn.cards.map(
        (card) => card.kind === 'scope' && [card.scope.name, card.enrichments.map(({ phase }) => phase)],
      ),
    ).toEqual([
      [undefined, ['planning', 'finalizing']],
      ['Ada', ['searching_tools']],
    ]);
  });
});
