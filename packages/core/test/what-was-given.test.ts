import { expect, it } from 'vitest';
import { Agent, fileReceiptStore, MCPServer, Swarm } from '../src/index.js';
import { createAtSchedule } from '../src/scheduling/schedule/at-schedule.js';

const apiKey = 'k';

it.each<[string, () => unknown, string]>([
  ['at() with a string', () => createAtSchedule('2027-01-01' as never), 'got string.'],
  ['at() with an invalid Date', () => createAtSchedule(new Date(Number.NaN)), 'got an invalid one.'],
  [
    'a function as a tool',
    () => new Agent({ name: 'a', apiKey, tools: [(() => 1) as never] }),
    'toolify() returned, a zod 4 object schema (not of zod/mini) or a source of tools, got function.',
  ],
  [
    'a receipt store without a path',
    () => fileReceiptStore({} as never),
    'path must be the path of a file, got',
  ],
  ['a blank path', () => fileReceiptStore({ path: '' }), 'got blank string.'],
  [
    'a misspelled command',
    () => new MCPServer({ name: 'm', cmd: 'x' } as never),
    'got neither in: name, cmd.',
  ],
  [
    'a command and a url',
    () => new MCPServer({ name: 'm', command: 'x', url: 'http://x' } as never),
    'got both.',
  ],
  ['an object as a member', () => new Swarm({ name: 's', apiKey }).addAgent({} as never), 'got object.'],
])('the error for %s says what was given', (_what, create, message) => {
  expect(create).toThrow(message);
});
