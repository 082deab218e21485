import * as z from 'zod';

/** An event as the transport delivers it: the input of the normalizer. A `StreamEvent` is one already. */
export const RawSSEEventSchema = z.looseObject({
  name: z.string().describe('Name of the event'),
  payload: z
    .unknown()
    .default(() => ({}))
    .describe('The decoded payload; an empty object when there is none'),
});

/** An event as the transport delivers it: the input of the normalizer. */
export interface RawSSEEvent extends z.infer<typeof RawSSEEventSchema> {}
