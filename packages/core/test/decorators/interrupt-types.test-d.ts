import { expectTypeOf } from 'vitest';
import { dependsOnInterrupt, type InterruptInjection } from '../../src/index.js';

const prompt = 'Which size?';

expectTypeOf(dependsOnInterrupt({ prompt, inputType: 'choice', choices: ['s', 'm'] })).toEqualTypeOf<
  InterruptInjection<'s' | 'm'>
>();
expectTypeOf(dependsOnInterrupt({ prompt, choices: ['s', 'm'], handler: () => 's' })).toEqualTypeOf<
  InterruptInjection<'s' | 'm'>
>();
expectTypeOf(dependsOnInterrupt({ prompt, inputType: 'email', choices: undefined })).toEqualTypeOf<
  InterruptInjection<string>
>();
declare const sizes: readonly string[];
expectTypeOf(dependsOnInterrupt({ prompt, choices: sizes })).toEqualTypeOf<InterruptInjection<string>>();

// @ts-expect-error a choice has choices
dependsOnInterrupt({ prompt, inputType: 'choice' });
// @ts-expect-error only a choice has choices
dependsOnInterrupt({ prompt, inputType: 'number', choices: ['1', '2'] });
// @ts-expect-error also as a decorator
dependsOnInterrupt({ prompt, argName: 'size', inputType: 'choice' });
