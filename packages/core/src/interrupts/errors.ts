import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** An answer could not be taken: the question is not open, or the answer does not fit it. */
export class InterruptError extends MaivnSDKError {}
