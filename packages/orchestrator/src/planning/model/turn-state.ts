import * as z from 'zod';
import { JsonObjectSchema } from '../step-schema.js';

const metadata = z.record(z.string(), z.record(z.string(), z.json())).optional();

const TurnPartSchema = z.enum(['thought', 'text', 'call']);
/** A kind of content in a turn. */
export type TurnPart = z.infer<typeof TurnPartSchema>;

/**
 * What a model said and called in a turn, to be sent back as it came. The step of the turn may be another one: the rules
 * add calls to it or replace it.
 */
const TurnStateSchema = z.object({
  calls: z.array(z.object({ id: z.string(), name: z.string(), input: JsonObjectSchema, metadata })),
  reasoning: z.array(z.object({ text: z.string(), metadata })),
  texts: z.array(z.object({ text: z.string(), metadata })),
  /** The order of reasoning, text and calls, in a turn with reasoning and calls. */
  order: z.array(TurnPartSchema).optional(),
});
export type TurnState = z.infer<typeof TurnStateSchema>;
/** A call as a model made it. */
export type TurnCall = TurnState['calls'][number];

/** The state of a turn in which the model said nothing. */
export const silentTurn: TurnState = { calls: [], reasoning: [], texts: [] };

/** Reads the state of an earlier turn; undefined when it is missing or that of another planner. */
export const readTurnState = (state: unknown): TurnState | undefined => TurnStateSchema.safeParse(state).data;
