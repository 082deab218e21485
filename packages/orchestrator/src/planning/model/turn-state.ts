import * as z from 'zod';

const metadata = z.record(z.string(), z.record(z.string(), z.json())).optional();

const TurnPartSchema = z.enum(['thought', 'text', 'call']);
/** A kind of content in a turn. */
export type TurnPart = z.infer<typeof TurnPartSchema>;

/** What must be sent back to a model exactly as it came: call ids, reasoning and texts, with their signatures. */
const TurnStateSchema = z.object({
  calls: z.array(z.object({ id: z.string(), metadata })),
  reasoning: z.array(z.object({ text: z.string(), metadata })),
  /** The texts of a turn with reasoning and calls; for other turns, the step's text is enough. */
  texts: z.array(z.object({ text: z.string(), metadata })).optional(),
  /** The order of reasoning, text and calls. */
  order: z.array(TurnPartSchema).optional(),
});
export type TurnState = z.infer<typeof TurnStateSchema>;

/** Reads the state of an earlier turn; a missing one, or that of another planner, gives an empty state. */
export const readTurnState = (state: unknown): TurnState =>
  TurnStateSchema.safeParse(state).data ?? { calls: [], reasoning: [] };
