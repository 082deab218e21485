import { expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { Swarm } from '../../src/swarms/swarm.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';
import { startAgent } from '../agent-setup.js';

const Price = z
  .object({ cents: z.string().transform(Number), currency: z.string().default('EUR') })
  .meta({ id: 'Price', description: 'A price' });

/** Calls the tool and finishes with its result or error, as an orchestrator does. */
function fill(name: string, args: Readonly<Record<string, unknown>>) {
  return async (session: ScriptedSession) => {
    const answer = await session.callTool(name, args);
    session.finish({ result: answer.status === 'ok' ? answer.result : answer.error });
  };
}

it('a structured output applies the transforms of its schema only once', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }));
  const { result } = await setup.agent.structuredOutput(Price).invoke('x');
  expect(result).toEqual({ cents: 250, currency: 'EUR' });
});

it.each(['an agent', 'a swarm'])('a structured output is the final tool that %s forces', async (scope) => {
  await using setup = await startAgent(fill('Price', { cents: '250' }), { forceFinalTool: true });
  const swarm = new Swarm({ name: 'desk', agents: [setup.agent], forceFinalTool: true });
  const asked = scope === 'a swarm' ? swarm : setup.agent;
  const { result } = await asked.structuredOutput(Price).invoke('x');
  expect(result).toEqual({ cents: 250, currency: 'EUR' });
});

it('a structured output cannot be combined with targeted tools', async () => {
  await using setup = await startAgent(() => {});
  setup.agent.toolify({ name: 't', description: 't' }, () => 1);
  await expect(
    setup.agent.structuredOutput(Price).invoke('x', { targetedTools: ['t'] }),
  ).rejects.toMatchObject({ code: 'CONFIG_TARGETED_TOOLS' });
});

it.each<[string, z.ZodObject, unknown]>([
  [
    'a transform',
    z.object({
      tags: z
        .string()
        .optional()
        .transform((text) => text?.split(',') ?? []),
    }),
    { tags: [] },
  ],
  ['a default', z.object({ cents: z.string().default('250').transform(Number) }), { cents: 250 }],
])('a missing property of the result is filled in only once by %s', async (_name, schema, expected) => {
  await using setup = await startAgent(fill('structured_output', {}));
  const { result } = await setup.agent.structuredOutput(schema).invoke('x');
  expect(result).toEqual(expected);
});

it('aborting a run ends its wait for a refinement that never resolves', async () => {
  await using setup = await startAgent((session) => session.finish({ result: { n: 1 } }));
  const controller = new AbortController();
  const ask = async () => {
    controller.abort(new Error('enough'));
    return new Promise<boolean>(() => {});
  };
  const asking = setup.agent.structuredOutput(z.object({ n: z.number().refine(ask) }));
  await expect(asking.invoke('x', { signal: controller.signal })).rejects.toThrow('enough');
});

it.each([
  ['Invoice', 'Invoice'],
  ['Die Rechnung für Müller & Co.', 'Die_Rechnung_fur_Muller_Co'],
  ['2nd reminder', '_2nd_reminder'],
  ['a__b', 'a__b'],
  ['x'.repeat(70), 'x'.repeat(64)],
  ['請求書', 'structured_output'],
])('a schema titled %s becomes the tool %s', async (title, name) => {
  await using setup = await startAgent(fill(name, { n: 1 }));
  const { result } = await setup.agent
    .structuredOutput(z.object({ n: z.number() }).meta({ title }))
    .invoke('x');
  expect(result).toEqual({ n: 1 });
});

it('a model tool is named after its schema’s title, and refused if that gives no name', async () => {
  await using setup = await startAgent(() => {});
  setup.agent.addTool(z.object({}).meta({ title: 'An invoice', description: 'x' }));
  expect(setup.agent.listTools().map(({ name }) => name)).toEqual(['An_invoice']);
  const foreign = z.object({}).meta({ title: '請求書', description: 'x' });
  expect(() => setup.agent.addTool(foreign)).toThrow(expect.objectContaining({ code: 'TOOL_UNNAMED_MODEL' }));
});

it('a tool of the scope keeps its override when it is the structured output', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }), {
    privateData: { currency_key: 'currency-of-the-house' },
  });
  const Order = z
    .object({
      cents: z.string().transform(Number),
      currency: z.string(),
      pieces: z.string().transform(Number),
    })
    .meta({ id: 'Price', description: 'A price' });
  const inject = { currency: dependsOnPrivateData('currency_key') };
  setup.agent.addTool(Order, new ToolOverride({ inject, defaultArgs: { pieces: '2' } }));
  const { result } = await setup.agent.structuredOutput(Order).invoke('x');
  expect(result).toEqual({ cents: 250, currency: '{_{currency_key}_}', pieces: 2 });
});

it('another tool with the schema’s name is refused as a duplicate', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }));
  setup.agent.toolify({ name: 'Price', description: 'Fetch the price' }, () => 1);
  await expect(setup.agent.structuredOutput(Price).invoke('x')).rejects.toMatchObject({
    code: 'TOOL_DUPLICATE_NAME',
    details: { name: 'Price' },
  });
  expect(setup.orchestrator.requests).toEqual([]);
});
