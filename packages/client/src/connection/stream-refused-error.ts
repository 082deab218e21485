import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** The server will not serve this stream, so asking again unchanged is of no use. `statusCode` says why. */
export class StreamRefusedError extends MaivnSDKError {
  // A page's bundle shortens the names of classes.
  override readonly name = 'StreamRefusedError';
  /** The HTTP status of the answer; 200 for an answer that is not an event stream. */
  readonly statusCode: number;

  constructor(statusCode: number, answer: string) {
    super(`Stream refused: ${statusCode} ${answer}`, { code: 'STREAM_REFUSED' });
    this.statusCode = statusCode;
  }
}
