import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** An answer was not accepted: the question is not open, or the answer is invalid. */
export class InterruptError extends MaivnSDKError {}

/** Creates the error for a question that nobody answered in time. */
export function expired(name: string, details?: { readonly interrupt_id: string }): InterruptError {
  return new InterruptError(`Nobody answered '${name}' in time.`, { code: 'INTERRUPT_EXPIRED', details });
}
