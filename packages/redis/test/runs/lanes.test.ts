import { expect, it } from 'vitest';
import { Lanes } from '../../src/runs/lanes.js';

/** A step that is in flight until the test ends it. */
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

it('starts steps at once if no other step of their key is running, each with its own number', async () => {
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

it('starts a step once all earlier steps of its key have settled', async () => {
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
