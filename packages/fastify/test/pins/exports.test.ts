import { expect, it } from 'vitest';
import * as root from '../../src/index.js';

it('@svc/fastify exports exactly the documented names', () => {
  expect(Object.keys(root).toSorted()).toEqual([
    'eventsPlugin',
    'getEventBridge',
    'mountEvents',
    'removeEventBridge',
  ]);
});
