import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { dependsOnPrivateData, toolify } from '../../src/index.js';

const tool = { name: 'sign', description: 'Sign' };
const loose = z.looseObject({ note: z.string() });

describe('an input that lets other arguments through', () => {
  it('gives its own arguments, the others and what is injected', () => {
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

  it('still does not take its own argument from elsewhere, nor a method that wants another type', () => {
    // @ts-expect-error the planner fills it already
    toolify({ ...tool, input: loose, inject: { note: dependsOnPrivateData('key') } }, () => null);
    class Desk {
      // @ts-expect-error it is a text
      @toolify({ description: 'Sign', input: loose })
      sign(args: { note: number }) {
        return args;
      }
    }
    return Desk;
  });
});
