import { expect, it } from 'vitest';
import { epochAt, withEpoch } from '../../src/log/epoch-list.js';
import type { EpochStart } from '../../src/log/event-log.js';

it('keeps only the newest 32 writers', () => {
  let epochs: readonly EpochStart[] = [];
  for (let seq = 1; seq <= 40; seq += 1) epochs = withEpoch(epochs, { epoch: `w${seq}`, fromSeq: seq });
  expect(epochs.map(({ fromSeq }) => fromSeq)).toEqual(Array.from({ length: 32 }, (_, i) => i + 9));
  expect(epochAt(epochs, 9)).toBe('w9');
  expect(epochAt(epochs, 8)).toBeUndefined();
});
