const brand = Symbol.for('svc.sdk-error');

/** The codes of a {@link RedactionError}. */
export type RedactionErrorCode =
  | 'WHITELIST_OPTION_INVALID'
  | 'WHITELIST_JUSTIFICATION_INVALID'
  | 'WHITELIST_SELECTOR_INVALID'
  | 'WHITELIST_VALUE_TOO_SHORT'
  | 'WHITELIST_PATTERN_INVALID'
  | 'WHITELIST_PATTERN_TOO_PERMISSIVE'
  | 'WHITELIST_PATTERN_TOO_COSTLY'
  | 'WHITELIST_TOO_COSTLY'
  | 'WHITELIST_LABEL_TOO_LONG'
  | 'WHITELIST_PHI_TYPE_FORBIDDEN';

/** An invalid redaction rule. `isSdkError` returns true for it. */
export class RedactionError extends Error {
  override readonly name = 'RedactionError';
  /** A stable code for the cause. */
  readonly code: RedactionErrorCode;

  static {
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  constructor(message: string, options: { code: RedactionErrorCode; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
  }

  /** `name [code]: message`, without cause or stack. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** The name, code and message as plain JSON data. */
  toJSON(): { name: string; code: string; message: string } {
    return { name: this.name, code: this.code, message: this.message };
  }
}
