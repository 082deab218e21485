import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { type Agent, dependsOnPrivateData } from '../../../src/index.js';

declare const agent: Agent;

agent.toolify(
  { name: 'sign', description: 'Sign', input: z.object({}), inject: { key: dependsOnPrivateData('key') } },
  (args) => {
    expectTypeOf(args.key).toEqualTypeOf<string>();
    expectTypeOf<keyof typeof args>().toEqualTypeOf<'key'>();
    return true;
  },
);

agent.toolify(
  {
    name: 'clash',
    description: 'An injected argument may not have the name of one that the planner fills',
    input: z.object({ key: z.string() }),
    // @ts-expect-error `key` is filled by the planner
    inject: { key: dependsOnPrivateData('key') },
  },
  () => true,
);
