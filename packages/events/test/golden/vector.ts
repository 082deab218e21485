import { readFileSync } from 'node:fs';

/** One recorded case. The files are trusted fixtures, so their shape is stated here and not checked. */
export interface Vector<Options, Input, Expected> {
  id: string;
  note?: string;
  options: Options;
  input: Input;
  expected: Expected;
}

export function readVectors<Options, Input, Expected>(file: string): Vector<Options, Input, Expected>[] {
  const text = readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as Vector<Options, Input, Expected>[];
}

/** snake_case keyword arguments become the camelCase option names. Values are left alone. */
export function toOptions<Options>(keywords: Record<string, unknown>): Options {
  const named = Object.entries(keywords).map(([key, value]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named) as Options;
}
