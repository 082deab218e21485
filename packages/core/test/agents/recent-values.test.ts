import { expect, it } from 'vitest';
import { RecentValues } from '../../src/agents/recent-values.js';
import { PrivateValues } from '../../src/privacy/private-values.js';
import { startAgent } from '../agent-setup.js';

function valuesOf(...values: readonly unknown[]): PrivateValues {
  const all = new PrivateValues();
  all.add(values.map((value) => ({ name: 'v', value })));
  return all;
}

it('lists the values of a running run, including those added later', () => {
  const recent = new RecentValues();
  const running = valuesOf('one');
  recent.start(running);
  running.add([{ name: 'v', value: 'two' }]);
  expect(recent.list().map(({ value }) => value)).toEqual(['one', 'two']);
});

it('keeps only the latest 1000 values of ended runs', () => {
  const recent = new RecentValues();
  for (let run = 0; run < 600; run += 1) {
    const values = valuesOf(`a-${run}`, `b-${run}`);
    recent.start(values);
    recent.end(values);
  }
  const kept = recent.list().map(({ value }) => value);
  expect(kept).toHaveLength(1000);
  expect([kept.at(0), kept.at(-1)]).toEqual(['a-100', 'b-599']);
});

it('counts a value that occurs again as one of the latest', () => {
  const recent = new RecentValues();
  recent.end(valuesOf('again', 'once'));
  for (let run = 0; run < 998; run += 1) recent.end(valuesOf(`value-${run}`));
  recent.end(valuesOf('again', 'new'));
  const kept = recent.list().map(({ value }) => value);
  expect(kept).toHaveLength(1000);
  expect([kept.at(0), ...kept.slice(-2)]).toEqual(['value-0', 'again', 'new']);
});

it('an agent lists all values of a running run, but only the latest once it has ended', async () => {
  const counts: number[] = [];
  const dataOf = (run: string) =>
    Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`name_${i}`, `secret-${run}-${i}`]));
  await using setup = await startAgent((session) => {
    counts.push(setup.agent.privateValues().length);
    session.finish({ response: 'done' });
  });
  await setup.agent.invoke('x', { privateData: dataOf('a') });
  await setup.agent.invoke('x', { privateData: dataOf('b') });
  expect(counts).toEqual([600, 1200]);
  expect(setup.agent.privateValues()).toHaveLength(1000);
});
