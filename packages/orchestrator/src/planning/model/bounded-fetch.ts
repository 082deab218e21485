/** Maximum bytes of one event of a stream: more than a turn may write by default. */
const maxEventBytes = 8 * 1024 * 1024;
/** Maximum bytes of an error response. */
const maxRefusalBytes = 1024 * 1024;

/** Counts the bytes since the last blank line, which ends an event; of an error response, all bytes. */
function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  const maxBytes = isStream ? maxEventBytes : maxRefusalBytes;
  let bytes = 0;
  let last = '';
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      const text = last + Buffer.from(chunk).toString('latin1');
      const end = isStream ? Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n')) : -1;
      if (end >= 0) bytes = text.length - end;
      last = text.slice(-2);
      if (bytes > maxBytes)
        controller.error(
          new RangeError(
            `${isStream ? 'An event of the response' : 'The response'} is longer than ${maxBytes} bytes.`,
          ),
        );
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Fetches from a model service. Fails with a `RangeError` when an event or an error response is too long to keep in
 * memory. A redirect is returned, not followed: following one strips only `Authorization`, so other key headers and the
 * conversation would leave.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (!response.body) return response;
  // Some services send streams with another content type, so the status decides.
  return new Response(response.body.pipeThrough(bound(response.ok)), response);
};
