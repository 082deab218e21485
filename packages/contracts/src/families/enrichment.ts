import * as z from 'zod';
import { EnrichmentDescriptorSchema } from '../descriptors.js';
import { object, text } from '../tolerant.js';
import { participantFields, stamps } from './stamps.js';

/** `enrichment`: the run entered a phase. Fields without a value are omitted. */
export const EnrichmentPayloadSchema = z.looseObject({
  ...stamps('enrichment'),
  phase: z.string(),
  message: z.string(),
  scope_id: text,
  scope_name: text,
  scope_type: text,
  memory: object,
  redaction: object,
  ...participantFields,
  enrichment: EnrichmentDescriptorSchema,
});
/** `enrichment`: the run entered a phase. Fields without a value are omitted. */
export type EnrichmentPayload = z.infer<typeof EnrichmentPayloadSchema>;
