import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** Something the caller set up cannot work: a credential source, an option, a declaration. Retrying does not help. */
export class ConfigurationError extends MaivnSDKError {}
