import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** An answer was not accepted: the question is not open, or the answer is invalid. */
export class InterruptError extends MaivnSDKError {}
