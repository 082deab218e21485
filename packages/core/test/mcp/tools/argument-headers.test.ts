import { expect, it } from 'vitest';
import { findArgumentHeaders, writeArgumentHeaders } from '../../../src/mcp/tools/argument-headers.js';

const region = { type: 'string', 'x-mcp-header': 'Region' };
const withProperties = (properties: object) => ({ type: 'object', properties });
const nestTimes = (depth: number) => {
  let schema: object = region;
  for (let level = 0; level < depth; level += 1) schema = withProperties({ a: schema });
  return schema;
};

it('finds the arguments that are wanted in headers, at any place that is found by names', () => {
  const count = { type: 'integer', 'x-mcp-header': 'Count' };
  const schema = withProperties({
    place: withProperties({ region }),
    items: count,
    other: { type: 'string' },
  });
  expect(findArgumentHeaders(schema)?.toSorted((one, two) => one.name.localeCompare(two.name))).toEqual([
    { name: 'Count', path: ['items'] },
    { name: 'Region', path: ['place', 'region'] },
  ]);
  expect(findArgumentHeaders({ type: 'object' })).toEqual([]);
  // A value is no schema.
  expect(
    findArgumentHeaders(withProperties({ a: { const: region, default: region, enum: [region] } })),
  ).toEqual([]);
});

it.each([
  ['at the root', region],
  ['in a list', withProperties({ a: { items: region } })],
  ['in one of several schemas', withProperties({ a: { anyOf: [{}, region] } })],
  ['in a schema below that', withProperties({ a: { not: withProperties({ region }) } })],
  ['in a definition', { ...withProperties({}), $defs: { region } }],
  ['for unknown names', { type: 'object', patternProperties: { a: region } }],
  ['twice, in any case', withProperties({ a: region, b: { ...region, 'x-mcp-header': 'region' } })],
  ['with an empty name', withProperties({ a: { ...region, 'x-mcp-header': '' } })],
  ['with a name that no header can have', withProperties({ a: { ...region, 'x-mcp-header': 'a\r\nb' } })],
  ['with a number for a name', withProperties({ a: { ...region, 'x-mcp-header': 1 } })],
  ['for a number', withProperties({ a: { ...region, type: 'number' } })],
  ['for an object', withProperties({ a: { ...region, type: 'object' } })],
  ['for several types', withProperties({ a: { ...region, type: ['string'] } })],
  ['too deep', nestTimes(65)],
  ['far too deep', nestTimes(50_000)],
])('does not accept a declaration %s', (_where, schema) => {
  expect(findArgumentHeaders(schema)).toBeUndefined();
});

it('reads a schema of any width', () => {
  expect(findArgumentHeaders({ type: 'object', allOf: Array(200_000).fill(0) })).toEqual([]);
});

it('accepts a declaration as deep as it may be', () => {
  expect(findArgumentHeaders(nestTimes(64))).toHaveLength(1);
});

it.each<[unknown, string | undefined]>([
  ['eu-west', 'eu-west'],
  ['a\tb', 'a\tb'],
  [true, 'true'],
  [false, 'false'],
  [42, '42'],
  ['', '=?base64??='],
  [' x', '=?base64?IHg=?='],
  ['x\t', '=?base64?eAk=?='],
  ['a\r\nb: c', '=?base64?YQ0KYjogYw==?='],
  ['ä', '=?base64?w6Q=?='],
  ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ['=?base64?=', '=?base64?PT9iYXNlNjQ/PQ==?='],
  [2 ** 53, undefined],
  [1.5, undefined],
  [null, undefined],
  [['x'], undefined],
])('writes the value %j as %j', (value, header) => {
  const headers = [{ name: 'Region', path: ['place', 'region'] }];
  const written = header === undefined ? {} : { 'Mcp-Param-Region': header };
  expect(writeArgumentHeaders(headers, { place: { region: value } })).toEqual(written);
  expect(writeArgumentHeaders(headers, { place: value })).toEqual({});
  expect(writeArgumentHeaders(headers, {})).toEqual({});
});
