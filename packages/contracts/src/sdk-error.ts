const brand = Symbol.for('svc.sdk-error');

/** The options of a {@link MaivnSDKError}. */
export interface MaivnSDKErrorOptions {
  /** The stable error code in upper case, such as `TOOL_TIMEOUT`. Branch on it, never on the message. */
  code: string;
  /** Facts about the failure. They are printed and sent, so they must not contain secrets. */
  details?: Readonly<Record<string, unknown>>;
  /** The error that caused this one. Not part of `toJSON()`. */
  cause?: unknown;
}

/** The base class of all SDK errors. */
export class MaivnSDKError extends Error {
  /** The stable error code, such as `TOOL_TIMEOUT`. */
  readonly code: string;
  /** Facts about the failure: a frozen copy of the `details` option. */
  declare readonly details?: Readonly<Record<string, unknown>>;

  static {
    // On the prototype, so that it does not show up when an error is printed or spread.
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  constructor(message: string, options: MaivnSDKErrorOptions) {
    super(message, options.cause === undefined ? undefined : options);
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
    this.code = options.code;
    if (options.details) this.details = Object.freeze({ ...options.details });
  }

  /** Returns `name [code]: message`, without details, cause or stack. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** Returns name, code, message and details as JSON data without cause and stack. Unserializable details become a note. */
  toJSON(): { name: string; code: string; message: string; details?: Record<string, unknown> | undefined } {
    const { name, code, message, details } = this;
    return {
      name,
      code,
      message,
      details:
        details &&
        Object.fromEntries(Object.entries(details).map(([key, value]) => [key, toJsonData(value)])),
    };
  }
}

/** Whether this is an SDK error (of any copy of the SDK in this process), with this code if one is given. */
export function isSdkError(error: unknown, code?: string): error is MaivnSDKError {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

function toJsonData(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return '[not serializable]';
  }
}
