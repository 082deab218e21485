import type { Deviation } from './deviations.ts';

const jsonTexts = ['a', '1', 'true', 'false', 'null', '1.5', '2', '{"x":1}', '["y"]'];

/** Listed in docs/compatibility.md, "Events: normalizer, builders, forwarding". */
export const builderDeviations: Readonly<Record<string, readonly Deviation[]>> = {
  'builders/interrupt_required/06': [
    { path: 'payload.choices', ours: jsonTexts },
    { path: 'payload.interrupt.choices', ours: jsonTexts },
  ],
};
