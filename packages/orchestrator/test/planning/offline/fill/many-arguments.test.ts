import { expect, it } from 'vitest';
import { argumentsOf } from '../../../../src/planning/offline/tools/tool-profile.js';

const schemaOf = (count: number) => {
  const names = Array.from({ length: count }, (_, i) => `p${i}`);
  return { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names };
};

it('reads the arguments of a tool in less than quadratic time', () => {
  const cpuOf = (schema: ReturnType<typeof schemaOf>) => {
    const start = process.cpuUsage();
    argumentsOf(schema);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const [few, many] = [schemaOf(2_000), schemaOf(16_000)];
  argumentsOf(few);
  // Eight times as many arguments would take 64 times the work if it were quadratic.
  expect(cpuOf(many)).toBeLessThan(Math.max(cpuOf(few), 2_000) * 40);
});

it('marks an argument that is the only one of its role', () => {
  const text = { type: 'string' };
  const read = argumentsOf({
    properties: { to: { ...text, format: 'email' }, p1: text, p2: text },
    required: ['to', 'p2'],
  });
  expect(read.map(({ name, required, isOnlyOfRole }) => [name, required, isOnlyOfRole])).toEqual([
    ['to', true, true],
    ['p1', false, false],
    ['p2', true, false],
  ]);
});
