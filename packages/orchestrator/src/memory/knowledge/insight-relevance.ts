import type { MemoryInsight } from '@svc/contracts/orchestrator';
import { DAY_MS } from '../../clock.js';

/** How an insight loses weight: not at all, by half each half-life, or evenly to nothing over two half-lives. */
export const DECAY_MODELS = ['none', 'exponential', 'linear'] as const;
/** One of {@link DECAY_MODELS}. */
export type DecayModel = (typeof DECAY_MODELS)[number];

const factors = {
  none: () => 1,
  exponential: (halfLives) => 0.5 ** halfLives,
  linear: (halfLives) => Math.max(0, 1 - halfLives / 2),
} satisfies Record<DecayModel, (halfLives: number) => number>;

/** An insight's relevance at this time, 0 to 1. */
export function relevanceAt(
  {
    relevance_score,
    decay_model,
    half_life_days,
  }: Pick<MemoryInsight, 'relevance_score' | 'decay_model' | 'half_life_days'>,
  ageMs: number,
): number {
  const model = DECAY_MODELS.find((name) => name === decay_model) ?? 'none';
  const halfLives = half_life_days > 0 ? Math.max(0, ageMs) / (half_life_days * DAY_MS) : 0;
  return Math.min(1, Math.max(0, relevance_score)) * factors[model](halfLives);
}
