import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** The caller's setup cannot work, such as a credential source, an option or a declaration. Retrying does not help. */
export class ConfigurationError extends MaivnSDKError {}
