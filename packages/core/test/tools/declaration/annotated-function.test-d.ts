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
} from '../../../src/index.js';

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

describe('a function that declares its parameter types', () => {
  it('receives the planner’s arguments and the injected ones', () => {
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

  it('does not compile if it takes other arguments', () => {
    toolify(
      { ...tool, inject: { token: dependsOnPrivateData('card_token') } },
      // @ts-expect-error a private value without a schema is a string
      ({ token }: { token: number }) => token,
    );
    toolify(
      { ...tool, inject: { token: dependsOnPrivateData('card_token') } },
      // @ts-expect-error nothing provides `order`
      ({ token, order }: { token: string; order: string }) => token + order,
    );
  });
});
