import { expect, it } from 'vitest';
import { roleOf } from '../../../../src/planning/offline/tools/argument-role.js';

it.each([
  ['order_date', { type: 'string' }, 'date'],
  ['when', { type: 'string', format: 'date-time' }, 'date'],
  ['contact', { type: 'string', format: 'email' }, 'email'],
  ['contact', { type: 'string', format: 'constructor' }, 'other'],
  ['contact', { type: 'string', format: '__proto__' }, 'other'],
])('gives the argument %s with the schema %j the role %s', (name, schema, role) => {
  expect(roleOf(name, schema)).toBe(role);
});
