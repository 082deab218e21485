import { expect, it } from 'vitest';
import {
  parseDuration,
  parseDurationText,
  parseFlag,
  parseList,
  parseText,
  refuseUnknownOptions,
  requireOptions,
} from '../../src/config/options.js';
import { Agent } from '../../src/agents/agent.js';
import { ApiKey } from '../../src/config/api-key.js';
import { toolify, ToolOverride } from '../../src/index.js';

/** Its entries are not fields, so that nothing would be injected and nothing forbidden. */
const asMap = new Map([['note', { mode: 'forbid' }]]) as never;
const pay = (options: { composePolicies: never }) =>
  toolify({ name: 'pay', description: 'Pay', ...options }, () => 'paid');

it.each<[string, () => unknown]>([
  ['Client expects an object, got null.', () => requireOptions(null as never, 'Client')],
  ['Client expects an object, got array.', () => requireOptions([], 'Client')],
  ['inject of a ToolOverride expects an object, got Map.', () => new ToolOverride({ inject: asMap })],
  ["composePolicies of tool 'pay' expects an object, got Map.", () => pay({ composePolicies: asMap })],
  ["Client: unknown option 'tmeout'. Known options: timeout.", () => refuse({ tmeout: 1 })],
  ["Client: unknown options 'a', 'b'. Known options: timeout.", () => refuse({ a: 1, b: 2 })],
  ['Client: name must be a string, got number.', () => parseText(5 as never, 'name', 'Client')],
  ['Client: settle must be a boolean, got string.', () => parseFlag('no' as never, 'settle', 'Client')],
  ['Client: tools must be an array, got object.', () => parseList({} as never, 'tools', 'Client')],
  ['timeoutMs must be a positive number of milliseconds, got -1.', () => parseDuration(-1, 'timeoutMs')],
  [
    'timeoutMs must be a positive number of milliseconds, got array.',
    () => parseDuration([] as never, 'timeoutMs'),
  ],
  [
    'SVC_TIMEOUT_MS must be a positive number of milliseconds, got a string that is not a number.',
    () => parseDurationText('30s', 'SVC_TIMEOUT_MS'),
  ],
  [
    'SVC_TIMEOUT_MS must be a positive number of milliseconds, got 0.',
    () => parseDurationText('0', 'SVC_TIMEOUT_MS'),
  ],
  ['The API key from x must be a string, got array.', () => new ApiKey([] as never, 'x')],
  ['Agent: name must be a non-blank string, got blank string.', () => new Agent({ name: ' ' })],
])('an invalid option is refused with the message: %s', (message, parse) => {
  expect(parse).toThrow(expect.objectContaining({ message }));
});

function refuse(options: object): void {
  refuseUnknownOptions(options, ['timeout'], 'Client');
}
