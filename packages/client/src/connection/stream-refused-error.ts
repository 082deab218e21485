const brand = Symbol.for('svc.sdk-error');

/**
 * The server will not serve this stream, and `statusCode` says why. Where it is thrown, asking again unchanged is of no
 * use; as a `lastError` it stands for an answer after which the stream is asked for again. It counts as an SDK error for
 * `isSdkError`.
 */
export class StreamRefusedError extends Error {
  // A page's bundle shortens the names of classes.
  override readonly name = 'StreamRefusedError';
  /** The stable name of the cause. */
  readonly code = 'STREAM_REFUSED';
  /** The HTTP status of the answer; 200 for an answer that is not an event stream, 0 for a redirect in a browser. */
  readonly statusCode: number;

  constructor(statusCode: number, answer: string) {
    super(`Stream refused: ${statusCode} ${answer}`);
    this.statusCode = statusCode;
  }

  /** On the prototype, so that it does not show up when the error is printed. */
  get [brand](): true {
    return true;
  }

  /** `name [code]: message`. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** The name, code, status and message as plain JSON data. */
  toJSON(): { name: string; code: string; statusCode: number; message: string } {
    return { ...this, message: this.message };
  }
}
