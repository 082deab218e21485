import * as z from 'zod';

/** The query of every list of memory. */
export const PageSchema = z.object({
  search: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

/** A filter with one of these values; an empty one is ignored. */
export const filterBy = <Values extends z.ZodType>(values: Values) =>
  z.preprocess((value) => (value === '' ? undefined : value), values.optional());

/** A list of a project's memory. */
export interface MemoryListPlace {
  Params: { projectId: string };
}

/** One record of a project's memory. */
export interface MemoryPlace {
  Params: { projectId: string; id: string };
}
