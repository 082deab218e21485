import * as z from 'zod';

const metadata = z.record(z.string(), z.record(z.string(), z.json())).optional();

const TurnPartSchema = z.enum(['thought', 'text', 'call']);
/** What a turn consists of. */
export type TurnPart = z.infer<typeof TurnPartSchema>;

/** What has to be shown to a model again exactly as it gave it: call ids, reasoning with its signatures, and texts with theirs. */
const TurnStateSchema = z.object({
  calls: z.array(z.object({ id: z.string(), metadata })),
  reasoning: z.array(z.object({ text: z.string(), metadata })),
  /** The texts of a turn with thoughts and calls; of another turn, the step's text is enough. */
  texts: z.array(z.object({ text: z.string(), metadata })).optional(),
  /** How thoughts, text and calls followed one another. */
  order: z.array(TurnPartSchema).optional(),
});
export type TurnState = z.infer<typeof TurnStateSchema>;

/** Reads the notes of an earlier turn; those of another planner, or none, are no notes. */
export const readTurnState = (state: unknown): TurnState =>
  TurnStateSchema.safeParse(state).data ?? { calls: [], reasoning: [] };
