import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { silentLogger } from '../silent-logger.js';

type Emission = readonly [name: string, data: Record<string, unknown>];

/** Returns the indexes of the events that are kept. */
async function kept(all: readonly Emission[], options: EventBridgeOptions): Promise<unknown[]> {
  const bridge = new EventBridge('s', { logger: silentLogger, schemaValidation: 'off', ...options });
  for (const [i, [name, data]] of all.entries()) await bridge.emit(name, { ...data, i });
  return (await bridge.history()).map(({ data }) => data.i);
}

const status = (message: string, assistant_id = 'a'): Emission => [
  'status_message',
  { assistant_id, message },
];
const question = (prompt: string, over: Record<string, unknown> = {}): Emission => [
  'interrupt_required',
  { interrupt_id: 'i', data_key: 'k', prompt, ...over },
];

describe('a status message', () => {
  it.each<[string, Emission[], number[]]>([
    ['is dropped if it repeats the last one', [status('m'), status(' m '), status('m', ' A ')], [0]],
    [
      'is dropped if its descriptors alone repeat the last one',
      [status('m'), ['status_message', { assistant: { id: 'a' }, status: { message: 'm' } }]],
      [0],
    ],
    [
      'is dropped as a repeat even after events of other types',
      [status('m'), ['custom', {}], status('m')],
      [0, 1],
    ],
    ['is kept after a different one', [status('m'), status('n'), status('m')], [0, 1, 2]],
    ['is kept if its case or its assistant differs', [status('m'), status('M'), status('M', 'b')], [0, 1, 2]],
    ['is kept when it is blank', [status(' '), status(' '), status('')], [0, 1, 2]],
  ])('%s', async (_, all, expected) => {
    expect(await kept(all, { dedupeStatusMessages: true })).toEqual(expected);
    expect(await kept(all, {})).toEqual(all.map((_each, i) => i));
  });
});

describe('a question', () => {
  it.each<[string, Emission[], number[]]>([
    [
      'is dropped if it repeats any earlier one of the turn, whatever its id',
      [question('p'), question('q'), question(' P ', { interrupt_id: 'j' })],
      [0, 1],
    ],
    ['is kept if it is for another argument', [question('p'), question('p', { arg_name: 'x' })], [0, 1]],
    [
      'is dropped if it is for the same argument, whatever its data key',
      [question('p', { arg_name: 'x' }), question('p', { arg_name: 'X', data_key: 'l' })],
      [0],
    ],
    [
      'is dropped if its descriptor alone repeats an earlier one',
      [question('p'), ['interrupt_required', { interrupt: { id: 'i', data_key: 'k', prompt: 'p' } }]],
      [0],
    ],
  ])('%s', async (_, all, expected) => {
    expect(await kept(all, {})).toEqual(expected);
    expect(await kept(all, { dedupeInterrupts: false })).toEqual(all.map((_each, i) => i));
  });
});
