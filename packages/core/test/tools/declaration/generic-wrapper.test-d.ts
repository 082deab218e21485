import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { toolify, type Agent, type NoInjections, type Tool, type ToolFunction } from '../../../src/index.js';

declare const agent: Agent;

function wrap<Input extends z.ZodObject, Result>(
  input: Input,
  run: ToolFunction<Input, NoInjections, Result>,
): Tool<Awaited<Result>> {
  return toolify({ name: 'wrapped', description: 'wrapped', input }, (args, context) => run(args, context));
}

function register<Input extends z.ZodObject, Result>(
  input: Input,
  run: ToolFunction<Input, NoInjections, Promise<Result>>,
) {
  return agent.toolify({ name: 'wrapped', description: 'wrapped', input }, async (args, context) =>
    run(args, context),
  );
}

describe('a generic function that creates tools without casts', () => {
  const input = z.object({ id: z.string(), size: z.number().default(1) });

  it('keeps the types of its input and result', () => {
    const tool = wrap(input, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ id: string; size: number }>();
      return { found: args.id };
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<{ found: string }>>();
    const registered = register(input, async ({ size }) => size);
    expectTypeOf(registered).toEqualTypeOf<Tool<number>>();
  });

  it('still refuses an unknown argument', () => {
    // @ts-expect-error the input has no such argument
    wrap(input, ({ other }) => other);
  });
});
