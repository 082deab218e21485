import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { readEffects } from '../../src/pipeline/read-effects.js';

const member = {
  id: 'm',
  agent: 'a',
  swarm: null,
  rawId: null,
  isTool: true,
  isAssignment: false,
  isFinished: false,
};
const held = { held: 'tex', settled: 1, isKept: false };

it('returns every kind of effect as it was stored', () => {
  const effects = [
    ['turn'],
    ['session_start'],
    ['tool_alias', 'raw', 'id'],
    ['tool_start', 'id', 'base', null],
    ['tool_start', 'id', 'base', 'args'],
    ['tool_end', 'id'],
    ['member', 1, member],
    ['scope', null, 'key', 'id'],
    ['scope', 'raw', null, 'id'],
    ['interrupt', 'q'],
    ['status', 's'],
    ['held', 'stream', null],
    ['held', 'stream', held],
    ['held', 'stream', { ...held, lost: 3 }, 'more'],
    ['held_more', 'stream', 'text'],
  ];
  expect(readEffects(effects)).toEqual(effects);
  expect(readEffects([])).toEqual([]);
});

it('drops effects that only a newer version knows', () => {
  expect(readEffects([['newer', 1], ['status', 's', 'and more'], ['__proto__']])).toEqual([
    ['status', 's', 'and more'],
  ]);
});

it.each<[JsonValue]>([
  [null],
  ['turn'],
  [{ 0: ['turn'] }],
  [['turn']],
  [[null]],
  [[{ 0: 'turn' }]],
  [[['tool_alias', 'raw']]],
  [[['tool_alias', 'raw', 1]]],
  [[['tool_start', 'id', 'base']]],
  [[['tool_end', null]]],
  [[['member', '1', member]]],
  [[['member', -1, member]]],
  [[['member', 1.5, member]]],
  [[['member', 1, null]]],
  [[['member', 1, { ...member, agent: 4711 }]]],
  [[['member', 1, { ...member, isTool: 'secret-4711' }]]],
  [[['scope', 'raw', 'key', null]]],
  [[['status']]],
  [[['held', 'stream', 'secret-4711']]],
  [[['held', 'stream', { ...held, held: 4711 }]]],
  [[['held', 'stream', { ...held, settled: -1 }]]],
  [[['held', 'stream', { ...held, lost: null }]]],
  [
    [
      ['status', 's'],
      ['held_more', 'stream', 4711],
    ],
  ],
])('refuses malformed effects, without repeating them: %j', (stored) => {
  expect(() => readEffects(stored)).toThrow(TypeError);
  expect(() => readEffects(stored)).not.toThrow('4711');
});
