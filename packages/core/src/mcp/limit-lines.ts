const LINE_FEED = 10;

/** A response whose body breaks, which is told, when a line gets longer than allowed. JSON and events are made of lines. */
export function limitLines(
  response: Response,
  maxBytes: number,
  onExcess: (reason: string) => void,
): Response {
  if (!response.body) return response;
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(LINE_FEED);
      const longest = last === -1 ? length + chunk.length : length + chunk.indexOf(LINE_FEED);
      if (longest > maxBytes) {
        const reason = `it sent a message of more than ${maxBytes} bytes`;
        controller.error(new Error(reason));
        onExcess(reason);
        return;
      }
      length = last === -1 ? length + chunk.length : chunk.length - last - 1;
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const limited = new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  // A response that was made by hand has no address, and redirects are judged by it.
  Object.defineProperty(limited, 'url', { value: response.url });
  return limited;
}
