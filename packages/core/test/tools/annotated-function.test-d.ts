import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
  toolify,
  type Agent,
  type AgentResult,
  type Tool,
} from '../../src/index.js';

declare const agent: Agent;
declare const fetchOrder: Tool<{ id: string; total: number }>;

const tool = { name: 'charge', description: 'Charge', input: z.object({ note: z.string() }) };

interface ChargeArguments {
  note: string;
  order: { total: number };
  token: string;
  approved: boolean;
  advice: AgentResult;
}

async function charge({ note, order, token, approved, advice }: ChargeArguments) {
  return approved ? [note, order.total, token, advice.result].join(' ') : '';
}

describe('a function that says itself what it takes', () => {
  it('gets what the planner fills and what is injected', () => {
    const charged = agent.toolify(
      {
        ...tool,
        inject: {
          order: dependsOnTool(fetchOrder),
          token: dependsOnPrivateData('card_token'),
          approved: dependsOnInterrupt({ prompt: 'Charge?', inputType: 'boolean' }),
          advice: dependsOnAgent(agent),
        },
      },
      charge,
    );
    expectTypeOf(charged).toEqualTypeOf<Tool<string>>();
    toolify(
      { ...tool, output: z.string(), inject: { order: dependsOnTool(fetchOrder) } },
      ({ order }: { order: { id: string } }) => order.id,
    );
  });

  it('is told where it takes something else', () => {
    toolify(
      { ...tool, inject: { token: dependsOnPrivateData('card_token') } },
      // @ts-expect-error a private value without a schema is a text
      ({ token }: { token: number }) => token,
    );
    toolify(
      { ...tool, inject: { token: dependsOnPrivateData('card_token') } },
      // @ts-expect-error nothing brings `order`
      ({ token, order }: { token: string; order: string }) => token + order,
    );
  });
});
