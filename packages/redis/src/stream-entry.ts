/** One stream entry as Redis returns it: its id, and its field names and values in turn. */
export type StreamEntry = readonly [id: Buffer, fields: readonly Buffer[]];

/** The sequence number in a stream id. */
export function seqOfId(id: Buffer): number {
  return Number.parseInt(id.toString('latin1', 0, id.indexOf('-')), 10);
}
