import { expect, it } from 'vitest';
import { MOST_REMEMBERED } from '../../src/bounded-map.js';
import { TurnState } from '../../src/pipeline/turn-state.js';

it('remembers only the newest of very many questions in a turn', () => {
  const state = new TurnState();
  for (let n = 0; n <= MOST_REMEMBERED; n += 1) state.apply([['interrupt', `question ${n}`]]);
  const { length } = state.snapshot();
  expect(length).toBeLessThanOrEqual(MOST_REMEMBERED);
  expect(state.snapshot().at(-1)).toEqual(['interrupt', `question ${MOST_REMEMBERED}`]);
  const again = new TurnState();
  again.apply(state.snapshot());
  expect(again.snapshot()).toEqual(state.snapshot());
});
