import type { EventEnvelope } from '@svc/contracts';
import { isFinished } from './card-status.js';
import { readDescriptor } from './read-descriptor.js';
import type { Card, CardBase, CardStatus, Turn } from './run-state.js';

type Without<Whole, Keys extends PropertyKey> = Whole extends unknown ? Omit<Whole, Keys> : never;

/** What a reducer says about a card; the rest is the same for every card. */
export type CardChange = Without<Card, Exclude<keyof CardBase, 'id' | 'status'>>;

/** An action of which nothing is known yet. */
export const emptyAction = {
  kind: 'action',
  tool: null,
  assignment: null,
  agent_name: null,
  swarm_name: null,
  chunks: [],
  hooks: [],
} as const;

/** The list with one more item, and without its oldest when it holds `limit` already. */
export function append<Item>(list: readonly Item[], item: Item, limit = 100): readonly Item[] {
  return [...list.slice(1 - limit), item];
}

/** The card of this kind and id, if the turn has one. */
export function findCard<Kind extends Card['kind']>(turn: Turn, kind: Kind, id: string) {
  return turn.cards.findLast(
    (card): card is Extract<Card, { kind: Kind }> => card.kind === kind && card.id === id,
  );
}

/** The turn with this card changed by the event, or with a new one at its end. A status never goes back. */
export function putCard(turn: Turn, { data, timestamp }: EventEnvelope, change: CardChange): Turn {
  const { kind, id, status } = change;
  const before = findCard(turn, kind, id);
  const card: Card = {
    ...change,
    key: `${kind}:${id}`,
    status: before && (isFinished(before.status) || status === 'pending') ? before.status : status,
    settled: false,
    started_at: before?.started_at ?? timestamp,
    updated_at: timestamp,
    scope: { ...before?.scope, ...readDescriptor('scope', data, {}) },
    participant: { ...before?.participant, ...readDescriptor('participant', data, {}) },
  };
  return {
    ...turn,
    cards: before ? turn.cards.map((old) => (old === before ? card : old)) : append(turn.cards, card, 1_000),
  };
}

/** The turn at its end: whatever is still open closes with it. */
export function endTurn(turn: Turn, status: CardStatus, endedAt: string): Turn {
  const cards = turn.cards.map((card) =>
    isFinished(card.status) ? card : { ...card, status, settled: true },
  );
  return { ...turn, cards, status, ended_at: endedAt };
}
