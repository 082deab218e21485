const brand = Symbol.for('svc.sdk-error');

/**
 * The server refused the stream; `statusCode` says why. When it is thrown, the same request would be refused again; as
 * `lastError` it describes a response after which the client retries. `isSdkError` of `@svc/core` returns true for it.
 */
export class StreamRefusedError extends Error {
  // Bundlers shorten the names of classes.
  override readonly name = 'StreamRefusedError';
  /** The stable error code. */
  readonly code = 'STREAM_REFUSED';
  /** The HTTP status of the response; 200 if it is not an event stream, 0 for a redirect in a browser. */
  readonly statusCode: number;

  constructor(statusCode: number, detail: string) {
    super(`Stream refused: ${statusCode} ${detail}`);
    this.statusCode = statusCode;
  }

  /** Marks an SDK error. On the prototype, so that it is not printed with the error. */
  get [brand](): true {
    return true;
  }

  /** Returns the name, code, status and message as plain JSON data. */
  toJSON(): { name: string; code: string; statusCode: number; message: string } {
    return { ...this, message: this.message };
  }
}
