const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Who is told of a body. */
export interface BodyListener {
  /** A message is too long; nothing more is read. */
  readonly onExcess: (reason: string) => void;
  /** The body has ended, has broken, or is left. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * A response whose body breaks when a message gets longer than allowed. In a stream of events each one is a message,
 * any other body is one as a whole.
 */
export function limitMessages(
  response: Response,
  maxBytes: number,
  { onExcess, onEnd = () => {} }: BodyListener,
): Response {
  if (!response.body) {
    onEnd();
    return response;
  }
  const { status, statusText, headers } = response;
  const length = isEventStream(response) ? new EventLength() : new BodyLength();
  // By a name, because the types of browsers do not know `cancel` yet.
  const transformer = {
    transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) {
      if (length.add(chunk) <= maxBytes) return controller.enqueue(chunk);
      const reason = `it sent a message of more than ${maxBytes} bytes`;
      controller.error(new Error(reason));
      onExcess(reason);
    },
    flush: onEnd,
    cancel: onEnd,
  };
  const limit = new TransformStream<Uint8Array, Uint8Array>(transformer);
  const limited = new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  // A response that was made by hand has no address, and redirects are judged by it.
  Object.defineProperty(limited, 'url', { value: response.url });
  return limited;
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** How long a body is so far. */
class BodyLength {
  #bytes = 0;

  add(chunk: Uint8Array): number {
    return (this.#bytes += chunk.length);
  }
}

/** How long the longest event is that a piece of a stream belongs to. An empty line ends one. */
class EventLength {
  #bytes = 0;
  #isLineEmpty = true;
  #last = 0;

  add(chunk: Uint8Array): number {
    let longest = 0;
    for (const byte of chunk) {
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        this.#bytes += 1;
        this.#isLineEmpty = false;
      } else if (byte !== LINE_FEED || this.#last !== CARRIAGE_RETURN) {
        // Of the two characters that may end a line the second ends no other one.
        if (this.#isLineEmpty) this.#bytes = 0;
        this.#isLineEmpty = true;
      }
      if (this.#bytes > longest) longest = this.#bytes;
      this.#last = byte;
    }
    return longest;
  }
}
