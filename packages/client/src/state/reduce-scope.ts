import type { EnrichmentDescriptor, EventEnvelope, HookDescriptor, ScopeDescriptor } from '@svc/contracts';
import { append, emptyAction, findCard, putCard } from './put-card.js';
import { readDescriptor } from './read-descriptor.js';
import type { ScopeCard, Turn } from './run-state.js';

/** A scope entered a phase. Returns undefined if the event has none. */
export function reduceEnrichment(turn: Turn, event: EventEnvelope): Turn | undefined {
  const enrichment = readDescriptor<EnrichmentDescriptor>('enrichment', event.data);
  if (!enrichment.phase) return undefined;
  return putScope({ ...turn, enrichment }, event, 'enrichments', enrichment);
}

/** A hook ran for a tool call or a scope. Returns undefined if the event does not name it. */
export function reduceHook(turn: Turn, event: EventEnvelope): Turn | undefined {
  const hook = readDescriptor<HookDescriptor>('hook', event.data);
  const { target_type: type, target_id: id, target_name: name } = hook;
  if (!type) return undefined;
  if (type !== 'tool')
    return putScope(turn, { ...event, data: { scope: { type, id, name } } }, 'hooks', hook);
  if (!id) return undefined;
  // A hook that runs before the first event of its tool creates the card.
  const card = findCard(turn, 'action', id) ?? { ...emptyAction, tool: { id, name } };
  return putCard(turn, event, { ...card, id, status: 'pending', hooks: append(card.hooks, hook) });
}

/** Appends an item to a list of the scope's card. */
function putScope<List extends 'enrichments' | 'hooks'>(
  turn: Turn,
  event: EventEnvelope,
  list: List,
  item: ScopeCard[List][number],
): Turn {
  const { type, id, name } = readDescriptor<ScopeDescriptor>('scope', event.data, {});
  // Some producers send only the id, some only the name.
  const before = turn.cards.findLast(
    (card): card is ScopeCard =>
      card.kind === 'scope' &&
      card.scope.type === type &&
      Boolean(
        (name && card.scope.name === name) || (card.scope.id === id && (id || card.scope.name === name)),
      ),
  );
  const card = before ?? { kind: 'scope', id: [type, id ?? name].join(':'), enrichments: [], hooks: [] };
  return putCard(turn, event, {
    ...card,
    status: 'running',
    [list]: append<unknown>(card[list], item),
  });
}
