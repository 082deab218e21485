import * as z from 'zod';

/** What the data of one server-sent event carries. */
export const EventEnvelopeSchema = z.looseObject({
  id: z
    .string()
    .describe('Id of the event, the same as the id of the frame; readers drop an id they have seen'),
  type: z.string().describe('Name of the event, the same as the event name of the frame'),
  timestamp: z.string().meta({
    description: 'When the event was accepted: ISO 8601 with an offset of zero',
    format: 'date-time',
  }),
  data: z.record(z.string(), z.unknown()).describe('The payload'),
});

/** What the data of one server-sent event carries. */
export interface EventEnvelope extends z.infer<typeof EventEnvelopeSchema> {}
