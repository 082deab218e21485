import { expect, it } from 'vitest';
import { TabHistory } from '../../src/tabs/tab-history.js';

const event = (id: number, type = 'a') => ({ id: `${id}`, type, timestamp: '', data: {} });
const idsAfter = (history: TabHistory, cursor: string | undefined) =>
  history.after(cursor)?.map(({ id }) => id);

it('returns the events after a known cursor, and undefined for an unknown one', () => {
  const history = new TabHistory(undefined);
  expect(idsAfter(history, undefined)).toEqual([]);
  for (const id of [1, 2, 3]) history.add(event(id));
  expect(idsAfter(history, undefined)).toEqual(['1', '2', '3']);
  expect(idsAfter(history, '2')).toEqual(['3']);
  expect(idsAfter(history, '3')).toEqual([]);
  expect(idsAfter(history, '9')).toBeUndefined();
  expect(idsAfter(new TabHistory('5'), '5')).toEqual([]);
  expect(idsAfter(new TabHistory('5'), undefined)).toBeUndefined();
});

it('keeps the last 2,000 events, and the cursor before them', () => {
  const history = new TabHistory(undefined);
  for (let id = 1; id <= 2_500; id += 1) history.add(event(id));
  expect(history.after(undefined)).toBeUndefined();
  expect(history.after('499')).toBeUndefined();
  expect(history.after('500')).toHaveLength(2_000);
});

it.each(['final', 'error'])('returns the current turn if it has the end of the previous one (%s)', (end) => {
  const history = new TabHistory('0');
  for (const id of [1, 2]) history.add(event(id));
  history.add(event(3, end));
  expect(idsAfter(history, undefined)).toBeUndefined();
  for (const id of [4, 5]) history.add(event(id));
  expect(idsAfter(history, undefined)).toEqual(['4', '5']);
  history.add(event(6, 'final'));
  expect(idsAfter(history, undefined)).toEqual(['4', '5', '6']);
  history.add(event(7));
  expect(idsAfter(history, undefined)).toEqual(['7']);
});
