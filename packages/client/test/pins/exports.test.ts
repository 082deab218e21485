import { expect, it } from 'vitest';
import * as client from '../../src/index.js';
import * as react from '../../src/react.js';
import * as shared from '../../src/shared.js';

it('@svc/client and its entries export their public names and nothing else', () => {
  expect(Object.keys(client).sort()).toEqual([
    'StreamRefusedError',
    'createRunStore',
    'initialRunState',
    'openEventStream',
    'reduceRun',
  ]);
  expect(Object.keys(react)).toEqual(['useRun']);
  expect(Object.keys(shared)).toEqual(['openSharedEventStream']);
});
