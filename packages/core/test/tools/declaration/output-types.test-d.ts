import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { dependsOnTool, toolify, type Agent, type Tool } from '../../../src/index.js';

declare const agent: Agent;

const tool = { name: 'pay', description: 'Pay' };
const Paid = z.object({
  status: z.enum(['paid', 'open']),
  at: z.string().transform((text) => new Date(text)),
});
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('square'), side: z.number() }),
  z.object({ kind: z.literal('circle'), radius: z.number() }),
]);

describe('a tool with an output schema', () => {
  it('may return literals of its schema without a cast', () => {
    const paid = toolify({ ...tool, output: Paid }, () => ({ status: 'paid', at: '2026-01-01' }));
    expectTypeOf(paid).toEqualTypeOf<Tool<{ status: 'paid' | 'open'; at: Date }>>();
    agent.toolify({ ...tool, output: Paid }, async () => ({ status: 'open', at: '2026-01-01' }));
    agent.toolify({ ...tool, output: Paid, input: z.object({ at: z.string() }) }, async ({ at }) => ({
      status: 'paid',
      at,
    }));
    toolify({ ...tool, output: Shape }, async () => ({ kind: 'square', side: 1 }));
    toolify({ ...tool, output: z.array(Shape) }, () => [{ kind: 'circle', radius: 1 }]);
    toolify({ ...tool, output: z.tuple([z.string(), z.number()]) }, () => ['a', 1]);
  });

  it('has the fields that its function leaves to the schema', () => {
    const Rate = z.object({
      unit: z.enum(['eur', 'usd']),
      digits: z.number().default(2),
      note: z.string().optional(),
    });
    const rate = toolify({ ...tool, output: Rate }, () => ({ unit: 'eur' }));
    expectTypeOf(rate).toEqualTypeOf<Tool<z.output<typeof Rate>>>();
    expectTypeOf(agent.toolify({ ...tool, output: Rate }, async () => ({ unit: 'usd' }))).toEqualTypeOf<
      Tool<z.output<typeof Rate>>
    >();
    agent.toolify({ ...tool, inject: { rate: dependsOnTool(rate) } }, (args) => {
      expectTypeOf(args.rate.digits).toEqualTypeOf<number>();
      return null;
    });
  });

  it('does not compile if it returns another type', () => {
    toolify(
      { ...tool, output: Paid },
      // @ts-expect-error it returns nothing
      () => {},
    );
    agent.toolify(
      { ...tool, output: Paid },
      // @ts-expect-error no such status
      async () => ({ status: 'late', at: '2026-01-01' }),
    );
  });

  it('can be created by a generic function', () => {
    function wrap<Output extends z.ZodType>(
      output: Output,
      run: () => Promise<z.input<Output>>,
    ): Tool<z.output<Output>> {
      return agent.toolify({ ...tool, output }, async () => run());
    }
    expectTypeOf(wrap(z.number(), async () => 1)).toEqualTypeOf<Tool<number>>();
  });
});
