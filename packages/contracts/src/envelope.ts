import * as z from 'zod';

/** The envelope of an event: the data of one server-sent event. */
export const EventEnvelopeSchema = z.looseObject({
  id: z
    .string()
    .describe('Event id, same as the id of the SSE frame; readers drop ids they have already seen'),
  type: z.string().describe('Event name, same as the event name of the SSE frame'),
  timestamp: z.string().meta({
    description: 'When the event was accepted: ISO 8601 with a zero offset',
    format: 'date-time',
  }),
  data: z.record(z.string(), z.unknown()).describe('The event payload'),
});

/** The envelope of an event: the data of one server-sent event. */
export interface EventEnvelope extends z.infer<typeof EventEnvelopeSchema> {}
