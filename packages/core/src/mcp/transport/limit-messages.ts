import { isEventStream } from '../../is-event-stream.js';

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Callbacks for a body. */
export interface BodyListener {
  /** Called when a message is too long; nothing more is read. */
  readonly onExcess: (reason: string) => void;
  /** Called when the body has ended, has failed, or is abandoned. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * Returns a response whose body fails when a message exceeds the limit. In an event stream, each event is a message; any
 * other body is one message.
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
  const length = isEventStream(headers.get('content-type') ?? '') ? new EventLength() : new BodyLength();
  // In a variable, because the DOM types do not know `cancel` yet.
  const transformer = {
    transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) {
      if (length.add(chunk) <= maxBytes) return controller.enqueue(chunk);
      const reason = `it sent a message of more than ${maxBytes} bytes (maxMessageBytes)`;
      controller.error(new Error(reason));
      onExcess(reason);
    },
    flush: onEnd,
    cancel: onEnd,
  };
  const limit = new TransformStream<Uint8Array, Uint8Array>(transformer);
  const limited = new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  // A constructed response has no URL, by which redirects are checked.
  Object.defineProperty(limited, 'url', { value: response.url });
  return limited;
}

/** Measures a body as a whole. */
class BodyLength {
  #bytes = 0;

  add(chunk: Uint8Array): number {
    return (this.#bytes += chunk.length);
  }
}

/** Measures the longest event that a piece of a stream belongs to. An empty line ends an event. */
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
        // The second of the two characters that may end a line does not end another one.
        if (this.#isLineEmpty) this.#bytes = 0;
        this.#isLineEmpty = true;
      }
      if (this.#bytes > longest) longest = this.#bytes;
      this.#last = byte;
    }
    return longest;
  }
}
