import type { MaivnSDKError } from '@svc/contracts/sdk-error';

const brand = Symbol.for('svc.sdk-error');

/** An `Agent` or a `Swarm` was created without any credential. It is both a `TypeError` and an SDK error. */
export class MissingCredentialError extends TypeError {
  readonly code = 'AUTH_MISSING_CREDENTIAL';

  static {
    Object.defineProperty(this.prototype, 'name', {
      value: 'MissingCredentialError',
      configurable: true,
      writable: true,
    });
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  constructor(owner: string) {
    super(
      `${owner} has no credential. Pass apiKey, envFile, apiKeyFile or client, or set SVC_API_KEY or SVC_API_KEY_FILE.`,
    );
  }

  /** Returns `name [code]: message`. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** Returns the name, code and message as plain JSON data. */
  toJSON(): ReturnType<MaivnSDKError['toJSON']> {
    return { name: this.name, code: this.code, message: this.message };
  }
}
