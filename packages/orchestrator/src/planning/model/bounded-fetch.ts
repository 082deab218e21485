/** Bytes of one event of a stream: more than a turn may write by default. */
const maxEventBytes = 8 * 1024 * 1024;
/** Bytes of a refusal. */
const maxRefusalBytes = 1024 * 1024;

/** Counts the bytes since the last blank line, which ends an event; of a refusal all of them. */
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
        controller.error(new RangeError(`The response is longer than ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Fetches what a model's service says. What would fill the memory breaks off with a `RangeError`. A redirect is the
 * answer and is not followed: of a key only `Authorization` would stay behind, and of the conversation nothing.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (!response.body) return response;
  // Some services give their streams another content type.
  return new Response(response.body.pipeThrough(bound(response.ok)), response);
};
