import { createParser, type ParserCallbacks } from 'eventsource-parser';

/** What takes the bytes of one response, and calls back for what it finds in them. */
export function parseChunks(callbacks: ParserCallbacks): (chunk: Uint8Array) => void {
  // The parser takes one byte order mark away, as the format says; the decoder must not take another.
  const decoder = new TextDecoder(undefined, { ignoreBOM: true });
  // The largest frame that is read, in characters. The parser refuses to go on after a larger one.
  const { feed } = createParser({ ...callbacks, maxBufferSize: 16_777_216 });
  return (chunk) => feed(decoder.decode(chunk, { stream: true }));
}
