const brand = Symbol.for('svc.sdk-error');

/** What a {@link MaivnSDKError} is made of, besides its message. */
export interface MaivnSDKErrorOptions {
  /** The stable, upper-case name of the cause, such as `TOOL_TIMEOUT`. Callers branch on it, never on the message. */
  code: string;
  /** Facts about the failure. They are printed and sent, so they never hold secrets. */
  details?: Readonly<Record<string, unknown>>;
  /** The error that led to this one. It is not part of `toJSON()`. */
  cause?: unknown;
}

/** The base of every failure that the SDK owns. */
export class MaivnSDKError extends Error {
  /** The stable name of the cause. */
  readonly code: string;
  /** Facts about the failure; a frozen copy of what was given. */
  declare readonly details?: Readonly<Record<string, unknown>>;

  static {
    // On the prototypes, so that neither shows up when an error is printed or spread.
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  constructor(message: string, options: MaivnSDKErrorOptions) {
    super(message, options.cause === undefined ? undefined : options);
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
    this.code = options.code;
    if (options.details) this.details = Object.freeze({ ...options.details });
  }

  /** `name [code]: message`, without details, cause or stack. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  /** The name, code, message and details as plain JSON data; never the cause or the stack. Details JSON cannot carry become a note. */
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

/** Whether this is an SDK error (of any copy of the SDK in this process), and of that code if one is given. */
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
