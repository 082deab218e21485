import { expect, it } from 'vitest';
import { parseReadings } from '../../../src/tools/execution/parse-readings.js';

const fits = async (wanted: object, readings: readonly unknown[]) =>
  parseReadings(readings, async (reading) =>
    JSON.stringify(reading) === JSON.stringify(wanted)
      ? { ok: true, value: reading }
      : { ok: false, issues: [{ path: 'a', rule: 'custom', message: 'no' } as never] },
  );

it('takes the mismatched places, or else everything, from the second reading', async () => {
  const readings = [
    { a: 1, b: 1 },
    { a: 2, b: 2 },
  ];
  await expect(fits({ a: 2, b: 1 }, readings)).resolves.toMatchObject({ value: { a: 2, b: 1 } });
  await expect(fits({ a: 2, b: 2 }, readings)).resolves.toMatchObject({ value: { a: 2, b: 2 } });
});

it('rejects with the error of the first reading if the schema throws for every reading', async () => {
  const parse = async (reading: unknown) => Promise.reject(new Error(String(reading)));
  await expect(parseReadings(['one', 'other'], parse)).rejects.toThrow('one');
});
