import { expect, it } from 'vitest';
import * as root from '../../src/index.js';

it('@svc/fastify exports what users bind to, and nothing else', () => {
  expect(Object.keys(root).toSorted()).toEqual([
    'eventsPlugin',
    'getEventBridge',
    'mountEvents',
    'removeEventBridge',
  ]);
});
