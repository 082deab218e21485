import { expect, it } from 'vitest';
import { Lanes } from '../../src/runs/lanes.js';

/** A step that is on its way until the test ends it. */
function heldStep() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begun: number[] = [];
  const step = (number: number) => {
    begun.push(number);
    return promise;
  };
  return { step, begun, end: () => resolve('done'), fail: () => reject(new Error('lost')) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a step begins at once on what nothing else changes, each with a number of its own', async () => {
  const lanes = new Lanes('w');
  const [first, second, third] = [heldStep(), heldStep(), heldStep()];
  const done = [lanes.run('a', first.step), lanes.run('b', second.step)];
  expect([first.begun, second.begun]).toEqual([[1], [2]]);
  first.end();
  second.end();
  expect(await Promise.all(done)).toEqual(['done', 'done']);
  void lanes.run('a', third.step);
  expect(third.begun).toEqual([3]);
});

it('a step waits for all before it on the same thing, also when it comes after one of them is done', async () => {
  const lanes = new Lanes('w');
  const [first, second, third] = [heldStep(), heldStep(), heldStep()];
  const failed = lanes.run('a', first.step).catch(({ message }: Error) => message);
  void lanes.run('a', second.step);
  await turn();
  expect(second.begun).toEqual([]);
  first.fail();
  expect(await failed).toBe('lost');
  await turn();
  expect(second.begun).toEqual([2]);
  const last = lanes.run('a', third.step);
  await turn();
  expect(third.begun).toEqual([]);
  second.end();
  third.end();
  expect(await last).toBe('done');
  expect(third.begun).toEqual([3]);
});
