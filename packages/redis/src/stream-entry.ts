/** One stream entry as it comes over the wire: its id, and its fields in pairs. */
export type StreamEntry = readonly [id: Buffer, fields: readonly Buffer[]];

/** The sequence number that a stream id says. */
export function seqOfId(id: Buffer): number {
  return Number.parseInt(id.toString('latin1', 0, id.indexOf('-')), 10);
}
