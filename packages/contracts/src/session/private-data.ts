import * as z from 'zod';

/** One private value by its name only; the value itself never leaves the caller's process. */
export const PrivateDataFieldSchema = z.looseObject({
  data_key: z.string().min(1),
  description: z.string().nullish(),
  label: z.string().nullish(),
  pii_type: z.string().nullish(),
  format: z.string().nullish(),
});
/** One private value by its name only. */
export type PrivateDataField = z.infer<typeof PrivateDataFieldSchema>;

/** A known personal value with its description. It is only sent in messages that request redaction. */
export const PrivateDataSchema = z.looseObject({
  value: z.string(),
  name: z.string().nullish(),
  pii_type: z.string().nullish(),
  label: z.string().nullish(),
  description: z.string().nullish(),
  format: z.string().nullish(),
});
/** A known personal value with its description. */
export type PrivateDataRecord = z.infer<typeof PrivateDataSchema>;

/** A known personal value: a string, or an object with its description. */
export const KnownPiiValueSchema = z.union([z.string(), PrivateDataSchema]);
/** A known personal value: a string, or an object with its description. */
export type KnownPiiValue = z.infer<typeof KnownPiiValueSchema>;

/** One justified exception from redaction: exactly one of `entity_type`, `pattern` and `value` is set. */
export const PiiWhitelistEntrySchema = z.looseObject({
  entity_type: z.string().nullish(),
  pattern: z.string().nullish(),
  value: z.string().nullish(),
  justification: z.string(),
  label: z.string().nullish(),
});
/** One justified exception from redaction. */
export type PiiWhitelistEntry = z.infer<typeof PiiWhitelistEntrySchema>;

/** The justified exceptions from redaction of a message or a session. */
export const PiiWhitelistSchema = z.looseObject({
  entries: z.array(PiiWhitelistEntrySchema).default([]),
  phi_mode: z.boolean().default(false),
});
/** The justified exceptions from redaction of a message or a session. */
export type PiiWhitelistRecord = z.infer<typeof PiiWhitelistSchema>;
