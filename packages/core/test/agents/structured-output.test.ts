import { expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { ToolOverride } from '../../src/tools/tool-override.js';
import { startAgent } from '../agent-setup.js';

const Price = z
  .object({ cents: z.string().transform(Number), currency: z.string().default('EUR') })
  .meta({ id: 'Price', description: 'A price' });

/** Fills the tool and ends with what came of it, as an orchestrator does. */
function fill(name: string, args: Readonly<Record<string, unknown>>) {
  return async (session: ScriptedSession) => {
    const answer = await session.callTool(name, args);
    session.finish({ result: answer.status === 'ok' ? answer.result : answer.error });
  };
}

it('a schema that transforms does so once', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }));
  const { result } = await setup.agent.structuredOutput(Price).invoke('x');
  expect(result).toEqual({ cents: 250, currency: 'EUR' });
});

it('a tool of the scope stays what its override made of it', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }), {
    privateData: { currency_key: 'currency-of-the-house' },
  });
  const Order = z
    .object({ cents: z.string().transform(Number), currency: z.string(), pieces: z.int() })
    .meta({ id: 'Price', description: 'A price' });
  const inject = { currency: dependsOnPrivateData('currency_key') };
  setup.agent.addTool(Order, new ToolOverride({ inject, defaultArgs: { pieces: 2 } }));
  const { result } = await setup.agent.structuredOutput(Order).invoke('x');
  expect(result).toEqual({ cents: 250, currency: '{_{currency_key}_}', pieces: 2 });
});

it('another tool of the schema’s name is not left out in silence', async () => {
  await using setup = await startAgent(fill('Price', { cents: '250' }));
  setup.agent.toolify({ name: 'Price', description: 'Fetch the price' }, () => 1);
  await expect(setup.agent.structuredOutput(Price).invoke('x')).rejects.toMatchObject({
    code: 'TOOL_DUPLICATE_NAME',
    details: { name: 'Price' },
  });
  expect(setup.orchestrator.requests).toEqual([]);
});
