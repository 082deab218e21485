import { expect, it } from 'vitest';
import { EpochList } from '../../src/log/epoch-list.js';

it('a list forgets all but the newest 32 writers', () => {
  const list = new EpochList();
  for (let seq = 1; seq <= 40; seq += 1) list.add({ epoch: `w${seq}`, fromSeq: seq });
  expect(list.all.map(({ fromSeq }) => fromSeq)).toEqual(Array.from({ length: 32 }, (_, i) => i + 9));
  expect(list.epochAt(9)).toBe('w9');
  expect(list.epochAt(8)).toBeUndefined();
});
