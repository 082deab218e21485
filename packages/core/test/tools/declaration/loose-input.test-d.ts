import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  dependsOnPrivateData,
  toolify,
  type PrivateDataInjection,
  type ToolOptions,
} from '../../../src/index.js';

const tool = { name: 'sign', description: 'Sign' };
const loose = z.looseObject({ note: z.string() });

describe('an input that accepts additional arguments', () => {
  it('provides its own, the additional and the injected arguments', () => {
    toolify({ ...tool, input: loose }, (args) => {
      expectTypeOf(args.note).toEqualTypeOf<string>();
      expectTypeOf(args['other']).toEqualTypeOf<unknown>();
    });
    toolify({ ...tool, input: loose, inject: { key: dependsOnPrivateData('key') } }, (args) => {
      expectTypeOf(args.note).toEqualTypeOf<string>();
      expectTypeOf(args.key).toEqualTypeOf<string>();
      expectTypeOf(args['other']).toEqualTypeOf<unknown>();
    });
    toolify({ ...tool, input: z.object({ note: z.string() }).catchall(z.number()) }, (args) => {
      expectTypeOf(args.note).toEqualTypeOf<string>();
      expectTypeOf(args['other']).toEqualTypeOf<number | undefined>();
    });
  });

  it('refuses to inject its own arguments, and methods with other argument types', () => {
    // @ts-expect-error the planner fills it already
    toolify({ ...tool, input: loose, inject: { note: dependsOnPrivateData('key') } }, () => null);
    // The compiler's message names the property that no injection has.
    type Inject = ToolOptions<typeof loose, { note: PrivateDataInjection<string> }>['inject'];
    expectTypeOf<NonNullable<Inject>['note']>()
      .toHaveProperty('argumentDeclaredTwice')
      .toEqualTypeOf<'injected and in the input'>();
    class Desk {
      // @ts-expect-error `note` is a string
      @toolify({ description: 'Sign', input: loose })
      sign(args: { note: number }) {
        return args;
      }
    }
    return Desk;
  });
});
