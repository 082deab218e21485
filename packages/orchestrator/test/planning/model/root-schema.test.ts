import type { JsonObject } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { rootSchema } from '../../../src/planning/model/root-schema.js';
import { planContext, toolsOf } from '../plan-fixtures.js';
import { serving, wires } from './wires.js';

const text: JsonObject = { type: 'string' };

describe('rootSchema', () => {
  it('leaves a schema without alternatives as it is', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { anyOf: [text, { type: 'null' }] } },
      required: ['a'],
    };
    expect(rootSchema(schema)).toBe(schema);
  });

  it.each(['anyOf', 'oneOf'])('shows the arguments of all alternatives, none of them required: %s', (key) => {
    const schema: JsonObject = {
      type: 'object',
      properties: { title: text },
      required: ['title'],
      [key]: [
        { properties: { content: text }, required: ['content'] },
        { properties: { url: text, title: { type: 'number' } }, required: ['url'] },
      ],
    };
    expect(rootSchema(schema)).toEqual({
      type: 'object',
      properties: { title: text, content: text, url: text },
      required: ['title'],
    });
  });

  it('shows every form of an argument whose alternatives differ, such as the one that tells them apart', () => {
    const [card, bank]: JsonObject[] = [{ const: 'card' }, { const: 'bank' }];
    const note = { type: 'string' };
    expect(
      rootSchema({
        type: 'object',
        oneOf: [
          { properties: { kind: card ?? null, note }, required: ['kind'] },
          { properties: { kind: bank ?? null, note }, required: ['kind'] },
        ],
      }),
    ).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [card, bank] }, note },
      required: [],
    });
  });

  it('keeps what all parts require', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: text },
      allOf: [{ properties: { b: text }, required: ['b'] }, { required: ['a'] }],
      not: { required: ['c'] },
    };
    expect(rootSchema(schema)).toEqual({
      type: 'object',
      properties: { a: text, b: text },
      required: ['b', 'a'],
    });
  });
});

describe.each(wires)('modelPlanner over the $name wire', (wire) => {
  it('offers a tool with alternatives in a form that the service accepts', async () => {
    const [tool] = toolsOf({ name: 'attach', properties: { content: text, url: text } });
    if (!tool) throw new Error('no tool');
    const parameters = { ...tool.parameters, anyOf: [{ required: ['content'] }, { required: ['url'] }] };
    const where = planContext({ tools: [{ ...tool, parameters }] });
    await using service = await serving(wire)([wire.stream({ text: 'ok' })]);
    await service.next(where).step;
    const offered = JSON.stringify(service.server.requests[0]?.body['tools']);
    expect(offered).toContain('"content"');
    expect(offered).not.toContain('anyOf');
  });
});
