import type { EventEnvelope } from '@svc/contracts';
import { isFinished } from './card-status.js';
import { readDescriptor } from './read-descriptor.js';
import type { Card, CardBase, CardStatus, Turn } from './run-state.js';

type Without<Whole, Keys extends PropertyKey> = Whole extends unknown ? Omit<Whole, Keys> : never;

/** The fields of a card that a reducer sets; the rest is the same for every card. */
export type CardChange = Without<Card, Exclude<keyof CardBase, 'id' | 'status'>>;

/** An action about which nothing is known yet. */
export const emptyAction = {
  kind: 'action',
  tool: null,
  assignment: null,
  agent_name: null,
  swarm_name: null,
  chunks: [],
  hooks: [],
} as const;

/** Returns the list with one more item, and without its oldest one if it already has `limit` items. */
export function append<Item>(list: readonly Item[], item: Item, limit = 100): readonly Item[] {
  return [...list.slice(1 - limit), item];
}

/** Returns the card of this kind and id, if the turn has one. */
export function findCard<Kind extends Card['kind']>(turn: Turn, kind: Kind, id: string) {
  return turn.cards.findLast(
    (card): card is Extract<Card, { kind: Kind }> => card.kind === kind && card.id === id,
  );
}

/** Returns the turn with this card changed by the event, or added at its end. A status never moves backwards. */
export function putCard(turn: Turn, { data, timestamp }: EventEnvelope, change: CardChange): Turn {
  const { id, kind, status } = change;
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

/** Returns the ended turn, with all unfinished cards closed. */
export function endTurn(turn: Turn, status: CardStatus, endedAt: string): Turn {
  const cards = turn.cards.map((card) =>
    isFinished(card.status) ? card : { ...card, status, settled: true },
  );
  return { ...turn, cards, status, ended_at: endedAt };
}
