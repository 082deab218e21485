import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import type { Agent, BatchOptions, InvokeResponse, Tool, ToolContext } from '../../src/index.js';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
  ToolOverride,
  toolify,
  toolOutput,
  type AgentResult,
} from '../../src/index.js';

declare const agent: Agent;

const Order = z.object({ id: z.string(), total: z.number() });

const fetchOrder = agent.toolify(
  { name: 'fetch_order', description: 'x', input: z.object({ id: z.string() }) },
  async ({ id }, context) => {
    expectTypeOf(id).toEqualTypeOf<string>();
    expectTypeOf(context).toEqualTypeOf<ToolContext>();
    return { id, total: 1 };
  },
);
expectTypeOf(fetchOrder).toEqualTypeOf<Tool<{ id: string; total: number }>>();

const checked = agent.toolify({ name: 'checked', description: 'x', output: Order }, () => ({
  id: 'a',
  total: 1,
}));
expectTypeOf(checked).toEqualTypeOf<Tool<{ id: string; total: number }>>();

// @ts-expect-error the function does not return what `output` takes
agent.toolify({ name: 'wrong', description: 'x', output: Order }, () => ({ id: 1 }));

agent.toolify(
  {
    name: 'charge',
    description: 'x',
    input: z.object({ note: z.string().optional() }),
    inject: {
      order: dependsOnTool(fetchOrder),
      token: dependsOnPrivateData('card_token'),
      account: dependsOnPrivateData({ key: 'account', schema: z.object({ iban: z.string() }) }),
      ok: dependsOnInterrupt({ prompt: '?', inputType: 'boolean' }),
      size: dependsOnInterrupt({ prompt: '?', choices: ['s', 'm'] }),
      count: dependsOnInterrupt({ prompt: '?', inputType: 'number' }),
      reason: dependsOnInterrupt({ prompt: '?' }),
      research: dependsOnAgent(agent),
      named: dependsOnTool<{ a: 1 }>('other'),
      unknown: dependsOnTool('other'),
    },
  },
  (args) => {
    expectTypeOf(args.note).toEqualTypeOf<string | undefined>();
    expectTypeOf(args.order).toEqualTypeOf<{ id: string; total: number }>();
    expectTypeOf(args.token).toEqualTypeOf<string>();
    expectTypeOf(args.account).toEqualTypeOf<{ iban: string }>();
    expectTypeOf(args.ok).toEqualTypeOf<boolean>();
    expectTypeOf(args.size).toEqualTypeOf<'s' | 'm'>();
    expectTypeOf(args.count).toEqualTypeOf<number>();
    expectTypeOf(args.reason).toEqualTypeOf<string>();
    expectTypeOf(args.research).toEqualTypeOf<AgentResult>();
    expectTypeOf(args.named).toEqualTypeOf<{ a: 1 }>();
    expectTypeOf(args.unknown).toEqualTypeOf<unknown>();
    // @ts-expect-error there is no such argument
    return args.nope;
  },
);

agent.toolify(
  { name: 'wrong_use', description: 'x', inject: { order: dependsOnTool(fetchOrder) } },
  // @ts-expect-error the order has no such shape
  ({ order }: { order: { price: number } }) => order.price,
);

agent.toolify(
  {
    name: 'double',
    description: 'x',
    input: z.object({ order: z.string() }),
    // @ts-expect-error an argument is filled by the planner or injected, not both
    inject: { order: dependsOnTool(fetchOrder) },
  },
  () => 1,
);

class Store {
  @toolify({ description: 'x', input: z.object({ id: z.string() }) })
  async fetch({ id }: { id: string }, _context: ToolContext) {
    return { id, total: 1 };
  }
}

class Desk {
  @dependsOnTool(fetchOrder, 'order')
  @dependsOnPrivateData('card_token', 'token')
  @dependsOnTool(Store.prototype.fetch, 'again')
  @toolify({ description: 'x', input: z.object({ note: z.string() }) })
  good(args: { note: string; order: { total: number }; token: string; again: { id: string } }) {
    return args.order.total;
  }

  // @ts-expect-error the order's total is a number
  @dependsOnTool(fetchOrder, 'order')
  badOrder(args: { order: { total: string } }) {
    return args;
  }

  // @ts-expect-error a private value without a schema is a string
  @dependsOnPrivateData('card_token', 'token')
  badToken(args: { token: number }) {
    return args;
  }

  // @ts-expect-error there is no argument of this name
  @dependsOnPrivateData('card_token', 'tokn')
  badName(args: { token: string }) {
    return args;
  }

  // @ts-expect-error the schema accepts a string, the method takes a number
  @toolify({ description: 'x', input: z.object({ note: z.string() }) })
  badInput(args: { note: number }) {
    return args;
  }

  // @ts-expect-error the method returns something else
  @toolOutput(z.object({ id: z.string() }))
  badOutput() {
    return { id: 1 };
  }
}
expectTypeOf(new Desk().good).returns.toEqualTypeOf<number>();

expectTypeOf(agent.structuredOutput(Order).invoke('x')).resolves.toHaveProperty('result').toEqualTypeOf<{
  id: string;
  total: number;
}>();
expectTypeOf(agent.stream('x')).toHaveProperty('id').toEqualTypeOf<string>();
expectTypeOf(agent.batch(['x'])).resolves.items.toHaveProperty('response');
expectTypeOf(agent.batch(['x'], { settle: true })).resolves.items.toHaveProperty('status');
declare const batchOptions: BatchOptions;
expectTypeOf(agent.batch(['x'], batchOptions)).resolves.toEqualTypeOf<
  InvokeResponse[] | PromiseSettledResult<InvokeResponse>[]
>();
expectTypeOf(agent.batch(['x'], { settle: undefined })).resolves.toEqualTypeOf<InvokeResponse[]>();
agent.addTool(Order, { name: 'order' }).addTool(fetchOrder, new ToolOverride({ name: 'order' }));
// @ts-expect-error only a schema takes these options
agent.addTool(fetchOrder, { name: 'order' });
// @ts-expect-error there is no such option
void agent.invoke('x', { treadId: '1' });
