import * as z from 'zod';

/** An event as delivered by the transport: the input of the normalizer. Every `StreamEvent` is one. */
export const RawSSEEventSchema = z.looseObject({
  name: z.string().describe('Event name'),
  payload: z
    .unknown()
    .default(() => ({}))
    .describe('The decoded payload; an empty object if there is none'),
});

/** An event as delivered by the transport: the input of the normalizer. */
export interface RawSSEEvent extends z.infer<typeof RawSSEEventSchema> {}
